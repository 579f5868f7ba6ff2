import { slicesOf } from "../../kernel/lists.ts";
import type { App } from "../../app.ts";
import type { ApiUsers } from "../../domain/person.ts";
import {
  type AttendanceHistory,
  type AttendanceObservation,
  hasObservation,
} from "../../domain/attendance.ts";
import { type Course, keyOfCourse, type Person } from "../../domain/course.ts";
import { messageOf } from "../../kernel/errors.ts";
import { workOnDue } from "../../kernel/with-claim.ts";
import { type AttendanceApp, recordMany } from "../attendance/record-attendance.ts";
import { gradeMembers } from "../grading/grade-members.ts";
import { recheckFor } from "../unplanned/answer-class.ts";
import type { UnassignedEvent, UnmatchedAttendance, UserMatch } from "./rules/records.ts";

export type ApplyingApp = AttendanceApp &
  Pick<App, "presences" | "unplannedClasses" | "tasks" | "onSessionsChanged" | "onMatchable" | "logger">;

/** Records of one user or event: a thousand sessions, or one very large session. */
const maxReceipts = 5_000;
const retryAfterMs = 30_000;

/** Claims an answer and applies it to earlier reports. Repeatable, even after a crash. @returns false if there is none. */
export async function applyNextMatch(app: ApplyingApp): Promise<boolean> {
  return (await applyNextUser(app)) || (await applyNextEvent(app));
}

function applyNextUser(app: ApplyingApp): Promise<boolean> {
  const { userMatches, clock } = app;
  return workOnDue(app, userMatches, async (match, holder) => {
    try {
      await (match.state === "holds" ? applyUser(app, match) : takeBackUser(app, match));
      await recheckFor(app, match);
      await userMatches.applied(match, holder);
    } catch (thrown) {
      app.logger.warn({ match: match.id, error: messageOf(thrown) }, "a match could not be applied yet");
      await userMatches.postpone(match.id, holder, clock.now() + retryAfterMs);
    }
  });
}

async function applyUser(app: ApplyingApp, match: UserMatch): Promise<void> {
  const { environment, userId } = match;
  await recordAll(app, await app.unmatchedAttendance.listOfUser(environment, userId, maxReceipts));
  await app.onMatchable({ kind: "user", environment, id: userId });
}

/** Instructors' corrections stay. */
async function takeBackUser(app: ApplyingApp, match: UserMatch): Promise<void> {
  const { environment, userId, personId } = match;
  const unmatchedOnes = await app.unmatchedAttendance.listOfUser(environment, userId, maxReceipts);
  const courses = new Map<string, Course>();
  for (const { courseId, eventId, history } of unmatchedOnes) {
    const course = courseId === null ? null : (courses.get(courseId) ?? (await app.courses.find(courseId)));
    if (course === null) continue;
    if (course.registrationId !== match.registrationId || course.deploymentId !== match.deploymentId)
      continue;
    courses.set(course.id, course);
    await app.attendance.takeBack({ ...keyOfCourse(course), eventId, personId }, history);
  }
  const person = await app.people.find(personId);
  if (person === null) return;
  for (const course of courses.values()) await gradeMembers(app, course, [person]);
}

function applyNextEvent(app: ApplyingApp): Promise<boolean> {
  const { unassignedEvents, clock } = app;
  return workOnDue(app, unassignedEvents, async (unassigned, holder) => {
    try {
      await (unassigned.answer === "ours" ? applyEvent(app, unassigned) : takeBackEvent(app, unassigned));
      await unassignedEvents.settle(unassigned, holder, null);
    } catch (thrown) {
      const about = { event: unassigned.eventId, error: messageOf(thrown) };
      app.logger.warn(about, "the answer about a session could not be applied yet");
      await unassignedEvents.settle(unassigned, holder, clock.now() + retryAfterMs);
    }
  });
}

async function applyEvent(app: ApplyingApp, unassigned: UnassignedEvent): Promise<void> {
  const { environment, eventId, courseId } = unassigned;
  await app.events.assignCourse(environment, eventId, courseId);
  await app.onSessionsChanged(courseId);
  await recordAll(app, await app.unmatchedAttendance.listOfEvent(environment, eventId, maxReceipts));
  await retryEvent(app, unassigned);
}

/** Webhooks may have waited for the event or its Space. */
async function retryEvent({ events, onMatchable }: ApplyingApp, { environment, eventId }: UnassignedEvent) {
  await onMatchable({ kind: "event", environment, id: eventId });
  const spaceId = (await events.find(environment, eventId))?.spaceId ?? null;
  if (spaceId !== null) await onMatchable({ kind: "space", environment, id: spaceId });
}

function recordAll(app: ApplyingApp, unmatchedOnes: readonly UnmatchedAttendance[]): Promise<void> {
  return recordMany(
    app,
    unmatchedOnes.flatMap(({ environment, eventId, userId, history }) =>
      history.map((observation) => ({ environment, eventId, userId, observation })),
    ),
  );
}

const batchSize = 200;

/** Keeps reports as unmatched, removes attendance and corrections, and computes grades. Repeatable. */
async function takeBackEvent(app: ApplyingApp, unassigned: UnassignedEvent): Promise<void> {
  const { environment, eventId, courseId, registrationId } = unassigned;
  const event = await app.events.find(environment, eventId);
  // Done first, so nothing more is recorded in this course.
  if (event?.courseId === courseId) await app.events.assignCourse(environment, eventId, null);
  const records = await app.attendance.listOfEvent(registrationId, courseId, eventId);
  const people: Person[] = [];
  for (const batch of slicesOf(records, batchSize)) {
    const ids = batch.map(({ personId }) => personId);
    people.push(...(await app.people.findMany(ids)));
  }
  const histories = new Map(records.map(({ personId, history }) => [personId, history]));
  for (const person of people) {
    await keepUnmatched(app, unassigned, person, histories.get(person.id) ?? []);
    await app.attendance.clear({ registrationId, courseId, eventId, personId: person.id });
  }
  await gradeMembers(app, { id: courseId, registrationId }, people);
  await app.onSessionsChanged(courseId);
}

/** Stores reports under the person's own user again. Reports that came through a match are already stored. */
async function keepUnmatched(
  { unmatchedAttendance, userMatches, clock }: ApplyingApp,
  { environment, eventId, registrationId }: UnassignedEvent,
  { id, apiUsers }: Person,
  history: AttendanceHistory,
): Promise<void> {
  const matched: AttendanceHistory[] = [];
  for (const { userId } of await userMatches.listOfPerson(registrationId, id))
    matched.push((await unmatchedAttendance.find({ environment, eventId, userId }))?.history ?? []);
  const others = matched.flat();
  for (const one of history) {
    if (hasObservation(others, one) || one.as === "presence" || one.as === "code") continue;
    const { as, ...observation } = one;
    const own = userMeantBy(apiUsers, as);
    if (own === null) continue;
    const key = { environment, eventId, userId: own.id };
    await unmatchedAttendance.keep(key, { courseId: null, observe: () => observation, now: clock.now() });
  }
}

/** The host's user if the observation is of a host, otherwise another user of the person. */
function userMeantBy({ host, participant, unknown }: ApiUsers, as: AttendanceObservation["as"]) {
  const other = participant ?? unknown;
  return as === "host" ? (host ?? other) : (other ?? host);
}
