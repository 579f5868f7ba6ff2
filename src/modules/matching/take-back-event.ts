import type { App } from "../../app.ts";
import type { ApiUser, ApiUsers } from "../../domain/api-user.ts";
import {
  type AttendanceHistory,
  type AttendanceObservation,
  hasObservation,
} from "../../domain/attendance.ts";
import type { Person } from "../../domain/course.ts";
import type { UnassignedEvent } from "./rules/unmatched.ts";
import type { RecordAttendanceDeps } from "../attendance/record-attendance.ts";
import { gradeMembers } from "../grading/grade-members.ts";

export type TakeBackEventDeps = RecordAttendanceDeps & Pick<App, "onSessionsChanged">;

const batchSize = 200;

/** Reports are kept unmatched, attendance and corrections go, and grades are computed. Repeatable. */
export async function takeBackEvent(deps: TakeBackEventDeps, unassigned: UnassignedEvent): Promise<void> {
  const { environment, eventId, courseId, registrationId } = unassigned;
  const event = await deps.events.find(environment, eventId);
  // First, so that nothing more is recorded here.
  if (event?.courseId === courseId) await deps.events.assignCourse(environment, eventId, null);
  const records = await deps.attendance.listOfEvent(registrationId, courseId, eventId);
  const people: Person[] = [];
  for (let from = 0; from < records.length; from += batchSize) {
    const ids = records.slice(from, from + batchSize).map(({ personId }) => personId);
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
