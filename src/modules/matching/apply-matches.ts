import { slicesOf } from "../../kernel/lists.ts";
import type { App } from "../../app.ts";
import type { ApiUser, ApiUsers } from "../../domain/api-user.ts";
import {
  type AttendanceHistory,
  type AttendanceObservation,
  hasObservation,
} from "../../domain/attendance.ts";
import type { Course, Person } from "../../domain/course.ts";
import { messageOf } from "../../kernel/errors.ts";
import { leaseMs, withClaim } from "../../kernel/with-claim.ts";
import { type AttendanceApp, recordMany } from "../attendance/record-attendance.ts";
import { gradeMember, gradeMembers } from "../grading/grade-members.ts";
import { type LookAgainDeps, lookAgainFor } from "../unplanned/answer-class.ts";
import type { UnassignedEvent, UnmatchedAttendance, UserMatch } from "./rules/records.ts";

export type ApplyMatchesDeps = AttendanceApp &
  LookAgainDeps &
  Pick<App, "onSessionsChanged" | "onMatchable" | "logger">;

/** Records of one user or event: a thousand sessions, or a very large one. */
const maxReceipts = 5_000;
const retryAfterMs = 30_000;

/** Claims an answer and applies it to earlier reports. Repeatable, also after a crash. @returns false for none. */
export async function applyNextMatch(deps: ApplyMatchesDeps): Promise<boolean> {
  return (await applyNextUser(deps)) || (await applyNextEvent(deps));
}

async function applyNextUser(deps: ApplyMatchesDeps): Promise<boolean> {
  const { userMatches, clock } = deps;
  const holder = deps.ids.id("hold");
  const now = clock.now();
  const match = await userMatches.claimDue(holder, now, now + leaseMs);
  if (match === null) return false;
  try {
    await withClaim(
      deps,
      { until: now + leaseMs, extend: (until) => userMatches.extend(match.id, holder, until) },
      async () => {
        await (match.state === "holds" ? applyUser(deps, match) : takeBackUser(deps, match));
        await lookAgainFor(deps, match);
      },
    );
    await userMatches.applied(match, holder);
  } catch (thrown) {
    deps.logger.warn({ match: match.id, error: messageOf(thrown) }, "a match could not be applied yet");
    await userMatches.postpone(match.id, holder, clock.now() + retryAfterMs);
  }
  return true;
}

async function applyUser(deps: ApplyMatchesDeps, match: UserMatch): Promise<void> {
  const unmatchedOnes = await deps.unmatchedAttendance.listOfUser(
    match.environment,
    match.userId,
    maxReceipts,
  );
  await recordAll(deps, unmatchedOnes);
  await deps.onMatchable({ kind: "user", environment: match.environment, id: match.userId });
}

/** Instructors' corrections stay. */
async function takeBackUser(deps: ApplyMatchesDeps, match: UserMatch): Promise<void> {
  const unmatchedOnes = await deps.unmatchedAttendance.listOfUser(
    match.environment,
    match.userId,
    maxReceipts,
  );
  const courses = new Map<string, Course>();
  for (const { courseId, eventId, history } of unmatchedOnes) {
    const course = courseId === null ? null : (courses.get(courseId) ?? (await deps.courses.find(courseId)));
    if (course === null) continue;
    if (course.registrationId !== match.registrationId || course.deploymentId !== match.deploymentId)
      continue;
    courses.set(course.id, course);
    const { registrationId, id } = course;
    await deps.attendance.takeBack(
      { registrationId, courseId: id, eventId, personId: match.personId },
      history,
    );
  }
  const person = await deps.people.find(match.personId);
  if (person === null) return;
  for (const course of courses.values()) await gradeMember(deps, course, person);
}

async function applyNextEvent(deps: ApplyMatchesDeps): Promise<boolean> {
  const { unassignedEvents, clock } = deps;
  const holder = deps.ids.id("hold");
  const now = clock.now();
  const unassigned = await unassignedEvents.claimDue(holder, now, now + leaseMs);
  if (unassigned === null) return false;
  try {
    await withClaim(
      deps,
      { until: now + leaseMs, extend: (until) => unassignedEvents.extend(unassigned.id, holder, until) },
      () => (unassigned.answer === "ours" ? applyEvent(deps, unassigned) : takeBackEvent(deps, unassigned)),
    );
    await unassignedEvents.settle(unassigned, holder, null);
  } catch (thrown) {
    deps.logger.warn(
      { event: unassigned.eventId, error: messageOf(thrown) },
      "a session could not be taken over yet",
    );
    await unassignedEvents.settle(unassigned, holder, clock.now() + retryAfterMs);
  }
  return true;
}

async function applyEvent(deps: ApplyMatchesDeps, unassigned: UnassignedEvent): Promise<void> {
  const { environment, eventId, courseId } = unassigned;
  await deps.events.assignCourse(environment, eventId, courseId);
  await deps.onSessionsChanged(courseId);
  await recordAll(deps, await deps.unmatchedAttendance.listOfEvent(environment, eventId, maxReceipts));
  await retryEvent(deps, unassigned);
}

/** Webhooks may have waited for the event or its Space. */
async function retryEvent(
  { events, onMatchable }: ApplyMatchesDeps,
  { environment, eventId }: UnassignedEvent,
): Promise<void> {
  await onMatchable({ kind: "event", environment, id: eventId });
  const spaceId = (await events.find(environment, eventId))?.spaceId ?? null;
  if (spaceId !== null) await onMatchable({ kind: "space", environment, id: spaceId });
}

function recordAll(deps: ApplyMatchesDeps, unmatchedOnes: readonly UnmatchedAttendance[]): Promise<void> {
  return recordMany(
    deps,
    unmatchedOnes.flatMap(({ environment, eventId, userId, history }) =>
      history.map((observation) => ({ environment, eventId, userId, observation })),
    ),
  );
}

type TakeBackEventDeps = AttendanceApp & Pick<App, "onSessionsChanged">;

const batchSize = 200;

/** Reports are kept unmatched, attendance and corrections go, and grades are computed. Repeatable. */
async function takeBackEvent(deps: TakeBackEventDeps, unassigned: UnassignedEvent): Promise<void> {
  const { environment, eventId, courseId, registrationId } = unassigned;
  const event = await deps.events.find(environment, eventId);
  // First, so that nothing more is recorded here.
  if (event?.courseId === courseId) await deps.events.assignCourse(environment, eventId, null);
  const records = await deps.attendance.listOfEvent(registrationId, courseId, eventId);
  const people: Person[] = [];
  for (const some of slicesOf(records, batchSize)) {
    const ids = some.map(({ personId }) => personId);
    people.push(...(await deps.people.findMany(ids)));
  }
  const histories = new Map(records.map(({ personId, history }) => [personId, history]));
  for (const person of people) {
    await keepUnmatched(deps, unassigned, person, histories.get(person.id) ?? []);
    await deps.attendance.clear({ registrationId, courseId, eventId, personId: person.id });
  }
  await gradeMembers(deps, { id: courseId, registrationId }, people);
  await deps.onSessionsChanged(courseId);
}

/** Under their own user; what came through a match is kept already. */
async function keepUnmatched(
  { unmatchedAttendance, userMatches, clock }: TakeBackEventDeps,
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

/** The host's user for an observation of a host, else another one of the person. */
function userMeantBy(
  { host, participant, unknown }: ApiUsers,
  as: AttendanceObservation["as"],
): ApiUser | null {
  const other = participant ?? unknown;
  return as === "host" ? (host ?? other) : (other ?? host);
}
