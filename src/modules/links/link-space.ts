import type { App } from "../../app.ts";
import type { CallOptions } from "../../classroom/call-options.ts";
import type { Course } from "../../domain/course.ts";
import type { NewSpace } from "../../domain/space-access.ts";
import type { SpaceChange } from "../spaces/rules/space-change.ts";
import { makeOnce } from "../../kernel/make-once.ts";
import { settleSpace } from "../scheduling/settle-space.ts";
import { coursesOpening, type CoursesOpeningDeps } from "../courses/courses-opening.ts";
import { createSpaceFor, type EnsureSpaceDeps } from "../spaces/ensure-space.ts";
import { lookAtSpace, usableSpace, type UsableSpaceDeps } from "../spaces/usable-space.ts";
import { spaceChange, tellSpaceChange, type TellSpaceChangeDeps } from "./tell-space-change.ts";

export type LinkSpaceDeps = NameSpaceDeps &
  TellSpaceChangeDeps &
  Omit<EnsureSpaceDeps, "courses"> &
  Pick<App, "courses" | "events" | "clock" | "ids">;

export type NameSpaceDeps = UsableSpaceDeps & CoursesOpeningDeps;

/** A Space that an instructor named, and what is known of it. */
export type NamedSpace = {
  spaceId: string;
  /** It is the course's own already. */
  isOwn: boolean;
  /**
   * Other courses of this place in the LMS whose own Space it is, or, when it is nobody's, with links that open it: they
   * would share it. Of courses elsewhere nothing is told.
   */
  sharedWith: readonly Course[];
};

/**
 * Looks at a Space that an instructor wants for the whole course: its address or id must be one of the course's
 * environment, and the course must be able to have it. Whether it exists cannot be asked of the classroom.
 * @throws those of `lookAtSpace`
 */
export async function nameSpace(
  deps: NameSpaceDeps,
  course: Course,
  personId: string,
  typed: string,
): Promise<NamedSpace> {
  const { spaceId } = await lookAtSpace(deps, course, personId, typed);
  const holders = await deps.courses.findBySpace(course.environment, spaceId);
  const owners = holders.filter(({ spaceId: now }) => now === spaceId);
  const users = holders.length > 0 ? [] : await coursesOpening(deps, course.environment, spaceId);
  const sharedWith = [...owners, ...users].filter(
    ({ id, registrationId, deploymentId }) =>
      id !== course.id && registrationId === course.registrationId && deploymentId === course.deploymentId,
  );
  return { spaceId, isOwn: spaceId === course.spaceId, sharedWith };
}

/** So many sessions to come are counted at most. */
export const mostCounted = 200;

/** How many sessions to come are tied to the Space that a course has now; they stay there. */
export async function sessionsTiedTo(
  deps: Pick<LinkSpaceDeps, "events" | "clock">,
  course: Pick<Course, "id" | "spaceId">,
): Promise<number> {
  if (course.spaceId === null) return 0;
  const coming = await deps.events.listSince(course.id, deps.clock.now(), mostCounted);
  return coming.filter(({ spaceId, cancelled }) => spaceId === course.spaceId && !cancelled).length;
}

/** What an instructor decided about a Space, and what they saw when they did. */
export type SpaceDecision = {
  personId: string;
  /** The Space that the course had; null for none. */
  seen: string | null;
};

/**
 * Gives the whole course a Space that exists already. The one before is kept in the classroom; sessions held there stay
 * the course's.
 * @param decision.mayShare The instructor was told of other courses that have this Space, and wants it all the same.
 * @returns "late" when somebody else has given it another Space since; "shared" when it must be said first.
 * @throws those of `usableSpace`
 */
export async function linkSpace(
  deps: LinkSpaceDeps,
  course: Course,
  { personId, seen, typed, mayShare }: SpaceDecision & { typed: string; mayShare: boolean },
): Promise<"linked" | "late" | "shared"> {
  const named = await nameSpace(deps, course, personId, typed);
  // Pressed twice, or pressed again after the answer was lost.
  if (named.isOwn) {
    await settleSpace(deps, course.environment, named.spaceId);
    return "linked";
  }
  if (named.sharedWith.length > 0 && !mayShare) return "shared";
  await usableSpace(deps, course, personId, named.spaceId);
  const change = spaceChange(deps, personId, seen, named.spaceId);
  if (!(await deps.courses.replaceSpace(course, seen, named.spaceId, change))) return "late";
  await tellSpaceChange(deps, course, change);
  return "linked";
}

/**
 * Makes a new Space for a course that has one: once, however many press and however often. The one before is kept in the
 * classroom; sessions held there stay the course's.
 * @returns the Space that the course has then, and whether this call made it: somebody else's stays.
 * @throws the classroom client's errors; the next press tries again.
 */
export async function renewSpace(
  deps: LinkSpaceDeps,
  course: Course,
  { personId, seen, made }: SpaceDecision & { seen: string; made: NewSpace },
  options: CallOptions = { priority: "instructor" },
): Promise<{ spaceId: string; byUs: boolean }> {
  const { courses } = deps;
  const ours = new Map<string, SpaceChange>();
  const spaceId = await makeOnce(deps, {
    read: async () => {
      const now = (await courses.find(course.id))?.spaceId ?? null;
      return now === seen ? null : now;
    },
    claim: (holder, now, until) => courses.claimNewSpace(course.id, seen, { holder, now, until }),
    extend: (holder, until) => courses.extendSpace(course.id, holder, until),
    make: async () => (await createSpaceFor(deps, course, { made, comer: null }, options)).spaceId,
    keep: async (holder, fresh) => {
      const change = spaceChange(deps, personId, seen, fresh);
      const kept = await courses.keepNewSpace(course, { holder, change, made });
      if (kept) ours.set(fresh, change);
      return kept;
    },
    release: (holder) => courses.releaseSpace(course.id, holder),
  });
  const change = ours.get(spaceId);
  if (change !== undefined) await tellSpaceChange(deps, course, change);
  return { spaceId, byUs: change !== undefined };
}
