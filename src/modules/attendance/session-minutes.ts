import type { AttendanceRecord } from "./store/attendance-stores.ts";
import { writeCourseAudit } from "../audit/audit.ts";
import type { CourseAuditAction } from "../audit/rules/course-audit.ts";
import { wallTimeOf } from "../scheduling/rules/time-zone.ts";
import { type SessionRecord, factsOf, findEventSession, ownRecord } from "../scheduling/show-sessions.ts";
import { refusal } from "../../kernel/refusal.ts";
import { everybodyLeftAt } from "./rules/register.ts";
import { z } from "zod";
import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import { type SeenPresence, currentAttendanceOf, sameSeen } from "../../domain/attendance.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import { type Course, keyOfCourse, type Member } from "../../domain/course.ts";
import { byKey } from "../../kernel/lists.ts";
import { memberSlices } from "../members/sections.ts";
import { retryPolicies, defineTask } from "../../tasks/task-kind.ts";
import { type RunTaskDeps, runNextTask } from "../../tasks/run-task.ts";
import type { GradingApp } from "../grading/grade-members.ts";
import { gradeAfterChange } from "../grading/regrade.ts";
import { seenOfPeople } from "../presence/presence-of-people.ts";
import { recomputedForMs } from "../presence/rules/presence.ts";
import { type OwnFacts, type PlannedSession, countedTo } from "../scheduling/rules/course-session.ts";
import { isGraded } from "./rules/attendance-summary.ts";

type SessionPresenceApp = GradingApp & Pick<App, "presences" | "userMatches">;

/** How many learners' facts are written and graded together. If a process is killed, these are repeated. */
const batchSize = 200;

/** How long after a session's end the last signs may arrive (ms). */
const marginMs = 10_000;

/** Stores the presence for the session that has been due longest. @returns false if none is due. */
export function keepNextPresence(app: SessionPresenceApp & RunTaskDeps): Promise<boolean> {
  return runNextTask(app, sessionPresence, {
    run: async ({ payload }) => ({ nextAt: await keepPresence(app, payload) }),
  });
}

/**
 * Stores who was in the Space and for how long as facts of a session, because presence itself is only stored for a while. Repeatable, also
 * after late signs; grades follow. @returns when to check again (ms); null for never.
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
  // For older sessions, part of the presence may be gone, so what was stored stays.
  if (session.startsAt < now - recomputedForMs) return null;
  const key = keyOfCourse(course);
  const listed = await app.attendance.listOfEvent(key.registrationId, key.courseId, eventId);
  const records = byKey(listed, ({ personId }) => personId);
  // Accounts that are joined to another one count, too.
  const attends = (member: Member) => isGraded({ ...member, joinedTo: null });
  for await (const members of memberSlices(app, key, batchSize))
    await keepOf(app, course, session, members.filter(attends), records);
  return null;
}

type TimedSession = { eventId: string; startsAt: number; endsAt: number };

/** Null if there are no minutes: the session didn't take place, or its planned length is unknown. */
function timesOf(event: ClassroomEvent, plan: PlannedSession | null): TimedSession | null {
  const { eventId, startsAt, endsAt, cancelled, ours } = event;
  if (cancelled || ours === true || startsAt === null || endsAt === null || endsAt <= startsAt) return null;
  return { eventId, startsAt, endsAt: countedTo(event, plan) ?? endsAt };
}

/** Writes only what differs. Grades follow even if this process ends in between. */
async function keepOf(
  app: SessionPresenceApp,
  course: Course,
  session: TimedSession,
  learners: readonly Member[],
  records: ReadonlyMap<string, AttendanceRecord>,
) {
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

/** The session in a task's payload. There is one task per account and event. */
export const sessionOfTask = z.object({
  environment: z.string(),
  eventId: z.string(),
  registrationId: z.string(),
  courseId: z.string(),
});

export function identityOfSession({
  environment,
  eventId,
  registrationId,
  courseId,
}: z.infer<typeof sessionOfTask>) {
  return { key: `${environment}:${eventId}`, scope: registrationId, registrationId, courseId };
}

/** Stores who was in the Space during a planned session. */
export const sessionPresence = defineTask({
  name: "session-presence",
  order: "person-first-in-scope",
  payload: sessionOfTask,
  facts: z.object({}),
  identityOf: identityOfSession,
  retry: retryPolicies["session-presence"],
  whileRunning: "again",
});

/** Requests the task when something new is known about a session. @param dueAt Milliseconds; default: now. */
export async function requestSessionMinutes(
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

export type DecisionsApp = Pick<
  App,
  "attendance" | "clock" | "courseAudit" | "events" | "ids" | "people" | "sessionPlans"
> &
  Pick<App, "tasks" | "wake" | "whileSessionsChange">;

/** keep, leave: whether a cancelled session's marks count. shorten, whole: until when minutes count, see `everybodyLeftAt`. */
export const sessionDecisions = ["keep", "leave", "shorten", "whole"] as const;

export type SessionDecision = (typeof sessionDecisions)[number];

/**
 * Stores an answer to a question about a register's session; another answer may follow. @returns false if there was no such question.
 * @throws NamedError "session-unknown", "session-changed-meanwhile" (temporary)
 */
export async function decideSession(
  app: DecisionsApp,
  course: Course,
  eventId: string,
  decision: SessionDecision,
  actor: string,
): Promise<boolean> {
  const record = await findEventSession(app, course, eventId);
  if (record?.event == null) throw refusal("session-unknown", { status: 404 });
  const answer = await answerFor(app, course, record, decision);
  if (answer === null) return false;
  const { startsAt, title } = factsOf(record);
  if (answer.minutes) {
    const { registrationId, id: courseId, environment } = course;
    const about = { environment, eventId, registrationId, courseId };
    // In case this process ends in between.
    await requestSessionMinutes(app, about, app.clock.now() + afterwardsMs);
    await say(app, course, record, answer.own);
    await requestSessionMinutes(app, about);
  } else await app.whileSessionsChange(course, () => say(app, course, record, answer.own));
  const line = { what: answer.what, session: { eventId, title, startsAt }, ...answer.change };
  await writeCourseAudit(app, course, actor, line);
  return true;
}

/** Longer than it takes to store the answer (ms). */
const afterwardsMs = 30_000;

type Answer = {
  own: Partial<Pick<OwnFacts, "counts" | "keepsMarks" | "shortened">>;
  what: CourseAuditAction;
  change: { count?: number; before?: string; after?: string };
  /** The answer changes minutes, and not which sessions count. */
  minutes: boolean;
};

/** Null if the register doesn't ask that. */
async function answerFor(
  app: DecisionsApp,
  course: Course,
  { event, plan }: SessionRecord,
  decision: SessionDecision,
): Promise<Answer | null> {
  if (event === null) return null;
  const records = await app.attendance.listOfEvent(course.registrationId, course.id, event.eventId);
  if (decision === "keep" || decision === "leave") return aboutMarks(event, records, decision);
  const to = decision === "shorten" ? everybodyLeftAt(event, records, course.policy) : null;
  // If the button is pressed twice, the second press undoes nothing.
  if (decision === "shorten" && to === null) return null;
  return aboutMinutes(app, course, event, { to, from: plan?.shortened?.to ?? null });
}

function aboutMarks(
  { cancelled, cancelledHere }: ClassroomEvent,
  records: readonly AttendanceRecord[],
  decision: "keep" | "leave",
): Answer | null {
  const count = records.filter((record) => currentAttendanceOf(record) !== null).length;
  if (!cancelled || cancelledHere === true || count === 0) return null;
  const own = { counts: decision === "keep", keepsMarks: decision === "keep" };
  const what = decision === "keep" ? "session-marks-kept" : "session-marks-left-out";
  return { own, what, change: { count }, minutes: false };
}

/** @param to Null for the whole session. @param from Until when minutes count now (ms); null for the whole. */
function aboutMinutes(
  { clock }: Pick<DecisionsApp, "clock">,
  { timeZone }: Course,
  { startsAt, endsAt }: ClassroomEvent,
  { to, from }: { to: number | null; from: number | null },
): Answer | null {
  // The minutes of older sessions don't change.
  if (endsAt === null || startsAt === null || startsAt < clock.now() - recomputedForMs) return null;
  if (to === from) return null;
  const clockOf = (at: number) => wallTimeOf(at, timeZone ?? "UTC").time;
  const what = to === null ? "minutes-of-whole-session" : "minutes-shortened";
  const shortened = to === null ? null : { endsAt, to };
  const change = { before: clockOf(from ?? endsAt), after: clockOf(to ?? endsAt) };
  return { own: { shortened }, what, change, minutes: true };
}

const maxTries = 5;

async function say(app: DecisionsApp, course: Course, record: SessionRecord, own: Answer["own"]) {
  let plan = await ownRecord(app, course, record, app.clock.now());
  for (let tries = 1; !(await app.sessionPlans.change(plan, own)); tries += 1) {
    const now = await app.sessionPlans.find(plan.id);
    if (now === null || tries === maxTries)
      throw refusal("session-changed-meanwhile", { status: 409, temporary: true });
    plan = now;
  }
}
