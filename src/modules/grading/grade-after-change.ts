import type { App } from "../../app.ts";
import type { Course, Person } from "../../domain/course.ts";
import { leaseMs, withClaim } from "../../kernel/with-claim.ts";
import type { PersonStore } from "../members/store/person-store.ts";
import { type GradeMemberDeps, gradeMembers } from "./grade-members.ts";

export type GradeAfterChangeDeps = GradeMemberDeps & EnqueueRegradeDeps & Pick<App, "pendingRegrades">;

/** Some people, or the whole course (policy, sessions). */
type Concerned = readonly Pick<Person, "id" | "sub">[] | "everybody";

/**
 * Makes a change that nothing repeats after a crash (unlike webhooks) and sets the scores that follow. A note is stored
 * first: if this process ends, another sets them within seconds. Scores of some people are wanted when this resolves;
 * everybody's are computed in the background.
 * @param change If it throws, scores are computed all the same: a part may be stored.
 */
export async function gradeAfterChange<T>(
  deps: GradeAfterChangeDeps,
  course: Pick<Course, "id" | "registrationId">,
  concerned: Concerned,
  change: () => Promise<T>,
): Promise<T> {
  const { pendingRegrades, clock } = deps;
  const id = deps.ids.id("prg");
  await pendingRegrades.note({
    id,
    registrationId: course.registrationId,
    courseId: course.id,
    personIds: concerned === "everybody" ? null : concerned.map((person) => person.id),
    dueAt: clock.now() + leaseMs,
  });
  return withClaim(
    deps,
    { until: Infinity, extend: (until) => pendingRegrades.postpone(id, until) },
    async () => {
      const result = await change();
      if (concerned === "everybody") await enqueueRegrade(deps, course.id);
      else await gradeMembers(deps, course, concerned);
      await pendingRegrades.remove(id);
      return result;
    },
  );
}

/** Computes scores for a process that noted them and ended before. @returns false when none are overdue. */
export async function runPendingRegrades(
  deps: GradeAfterChangeDeps & { people: Pick<PersonStore, "findMany"> },
): Promise<boolean> {
  const { pendingRegrades, clock } = deps;
  const now = clock.now();
  const pending = await pendingRegrades.claimDue(now, now + leaseMs);
  if (pending === null) return false;
  const { id, courseId, registrationId, personIds } = pending;
  await withClaim(
    deps,
    { until: Infinity, extend: (until) => pendingRegrades.postpone(id, until) },
    async () => {
      if (personIds === null) await enqueueRegrade(deps, courseId);
      else {
        const people = await deps.people.findMany(personIds);
        await gradeMembers(deps, { id: courseId, registrationId }, people);
      }
      await pendingRegrades.remove(id);
    },
  );
  return true;
}

export type EnqueueRegradeDeps = Pick<App, "courses" | "regrades" | "wake" | "clock" | "ids">;

/** Has all scores of a course recomputed. Call it once the change is stored; the request is stored when it resolves. */
export async function enqueueRegrade(deps: EnqueueRegradeDeps, courseId: string): Promise<void> {
  const course = await deps.courses.find(courseId);
  if (course === null) return;
  const key = { registrationId: course.registrationId, courseId };
  await deps.regrades.want(key, deps.ids.id("rgr"), deps.clock.now());
  deps.wake("regrades");
}

type RegradeAfterChangesDeps = EnqueueRegradeDeps & Pick<App, "pendingRegrades">;

/** Milliseconds; longer than a roster takes to be taken over. */
const waitMs = 60_000;

/** One regrade after many changes. @returns `before`, to call before each change; `after`, to call after the last. */
export function regradeAfterChanges(
  deps: RegradeAfterChangesDeps,
  course: Pick<Course, "id" | "registrationId">,
): { before: () => Promise<void>; after: () => Promise<void> } {
  let id: string | null = null;
  return {
    before: async () => {
      const dueAt = deps.clock.now() + waitMs;
      if (id !== null) {
        await deps.pendingRegrades.postpone(id, dueAt);
        return;
      }
      id = deps.ids.id("prg");
      const { registrationId, id: courseId } = course;
      await deps.pendingRegrades.note({
        id,
        registrationId,
        courseId,
        personIds: null,
        dueAt,
      });
    },
    after: async () => {
      if (id === null) return;
      await enqueueRegrade(deps, course.id);
      await deps.pendingRegrades.remove(id);
    },
  };
}
