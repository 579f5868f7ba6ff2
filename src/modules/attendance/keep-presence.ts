import { z } from "zod";
import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import { sameSeen, type SeenPresence } from "../../domain/attendance.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course, Member } from "../../domain/course.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { retryPolicies } from "../../tasks/retry-policies.ts";
import { runNextTask, type RunTaskDeps } from "../../tasks/run-task.ts";
import { defineTask } from "../../tasks/task-kind.ts";
import type { GradingApp } from "../grading/grade-members.ts";
import { gradeAfterChange } from "../grading/regrade.ts";
import { seenOfPeople } from "../presence/presence-of-people.ts";
import { recomputedForMs } from "../presence/rules/limits.ts";
import { countedTo, type PlannedSession } from "../scheduling/rules/course-session.ts";
import { isGraded } from "./rules/attendance-summary.ts";
import type { AttendanceRecord } from "./store/attendance-store.ts";

type SessionPresenceApp = GradingApp & Pick<App, "presences" | "userMatches">;

/** Learners whose facts are written and graded together; a killed process repeats them. */
const batchSize = 200;
/** After the end of a session: the last signs come (ms). */
const marginMs = 10_000;

/** Keeps the presence of the session due longest. @returns false when none is due. */
export function keepNextPresence(app: SessionPresenceApp & RunTaskDeps): Promise<boolean> {
  return runNextTask(app, sessionPresence, {
    run: async ({ payload }) => ({ nextAt: await keepPresence(app, payload) }),
  });
}

/**
 * Who was in the Space during a session, and how long, becomes a fact of it, since presence itself is kept for a while
 * only. Compares with what is kept, so it may be repeated, also after signs that came late; grades follow. Sessions of
 * ours have it in their marks. @returns when to look again (ms); null for never.
 */
export async function keepPresence(
  app: SessionPresenceApp,
  { environment, eventId }: { environment: AccountId; eventId: string },
): Promise<number | null> {
  const event = await app.events.find(environment, eventId);
  const plan = await app.sessionPlans.findByEvent(environment, eventId);
  const session = event === null ? null : timesOf(event, plan);
  const courseId = event?.courseId ?? null;
  const course = courseId === null ? null : await app.courses.find(courseId);
  if (session === null || course === null) return null;
  const now = app.clock.now();
  if (now < session.endsAt + marginMs) return session.endsAt + marginMs;
  // Of what is older a part may be gone: what was kept of it stays.
  if (session.startsAt < now - recomputedForMs) return null;
  const key = { registrationId: course.registrationId, courseId: course.id };
  const listed = await app.attendance.listOfEvent(key.registrationId, key.courseId, eventId);
  const records = new Map(listed.map((record) => [record.personId, record]));
  for (let after = ""; ;) {
    const members = await app.members.listAfter(key, after, batchSize);
    await keepOf(app, course, session, members.filter(isGraded), records);
    const last = members.at(-1);
    if (last === undefined || members.length < batchSize) return null;
    after = last.personId;
    await letOthersRun();
  }
}

type TimedSession = { eventId: string; startsAt: number; endsAt: number };

/** Null where there are no minutes to be had: it did not take place, or how long it was planned is not known. */
function timesOf(event: ClassroomEvent, plan: PlannedSession | null): TimedSession | null {
  const { eventId, startsAt, endsAt, cancelled, ours } = event;
  if (cancelled || ours === true || startsAt === null || endsAt === null || endsAt <= startsAt) return null;
  return { eventId, startsAt, endsAt: countedTo(event, plan) ?? endsAt };
}

/** Only what differs. Grades follow even if this process ends in between. */
async function keepOf(
  app: SessionPresenceApp,
  course: Course,
  session: TimedSession,
  learners: readonly Member[],
  records: ReadonlyMap<string, AttendanceRecord>,
): Promise<void> {
  if (learners.length === 0) return;
  const { registrationId, id: courseId } = course;
  const ids = learners.map(({ personId }) => personId);
  const seen = await seenOfPeople(app, course, session, ids);
  const changed = learners.filter(
    ({ personId }) => !sameSeen(records.get(personId)?.seen, seen.get(personId)),
  );
  if (changed.length === 0) return;
  const people = await app.people.findMany(changed.map(({ personId }) => personId));
  await gradeAfterChange(app, course, people, async () => {
    await Promise.all(
      changed.map(({ personId, sectionIds }) => {
        const key = { registrationId, courseId, eventId: session.eventId, personId };
        const now: SeenPresence | null = seen.get(personId) ?? null;
        return app.attendance.see(key, now, { id: app.ids.id("att"), sectionIds });
      }),
    );
  });
}

const payload = z.object({
  environment: z.string(),
  eventId: z.string(),
  registrationId: z.string(),
  courseId: z.string(),
});

/** Keeps who was in the Space during a planned session, one task for each (account, event). */
export const sessionPresence = defineTask({
  name: "session-presence",
  order: "person-first-in-scope",
  payload,
  facts: z.object({}),
  identityOf: ({ environment, eventId, registrationId, courseId }) => ({
    ...{ key: `${environment}:${eventId}`, scope: registrationId, registrationId, courseId },
  }),
  retry: retryPolicies["session-presence"],
  whileRunning: "again",
});

/** Something is known of a session or of who was there. @param dueAt Milliseconds; now when left out. */
export async function wantSessionPresence(
  { tasks, wake, clock }: Pick<App, "clock" | "tasks" | "wake">,
  of: { environment: AccountId; eventId: string; registrationId: string; courseId: string },
  dueAt?: number,
): Promise<void> {
  const { environment, eventId, registrationId, courseId } = of;
  const now = clock.now();
  const key = { environment, eventId, registrationId, courseId };
  await tasks.enqueue(sessionPresence, key, { now, dueAt: Math.max(now, dueAt ?? now) });
  wake(sessionPresence);
}
