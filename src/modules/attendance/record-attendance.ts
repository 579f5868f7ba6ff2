import type { App } from "../../app.ts";
import {
  type AttendanceHistory,
  type AttendanceObservation,
  historyOfSameUser,
} from "../../domain/attendance.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course, Person } from "../../domain/course.ts";
import type { Matchable } from "../../inbox/rules/receipt.ts";
import type { AccountId } from "../../domain/account.ts";
import type { AttendanceStore } from "./store/attendance-store.ts";
import { isErased, stripErasedAuthor } from "../members/is-erased.ts";
import { gradeMember, type GradeMemberDeps } from "../grading/grade-member.ts";
import { findEvent, type FindEventDeps } from "./find-event.ts";
import { everybodyWithUser, whoAttended } from "./who-attended.ts";

export type RecordAttendanceDeps = FindEventDeps &
  GradeMemberDeps &
  Pick<
    App,
    | "people"
    | "attendance"
    | "userMatches"
    | "unassignedEvents"
    | "unmatchedAttendance"
    | "tombstones"
    | "ids"
  >;

export type SeenAttendance = {
  environment: AccountId;
  eventId: string;
  userId: string;
  /** A poll decides from what is known whether it adds anything; null: no. */
  observation: AttendanceObservation | ((known: AttendanceHistory) => AttendanceObservation | null);
};

export type RecordedAttendance =
  | {
      kind: "recorded";
      course: Course;
      person: Person;
      event: ClassroomEvent;
      /** The classroom's whole history; null when nothing was added. */
      history: AttendanceHistory | null;
    }
  /** About an erased person: nothing is kept. */
  | { kind: "erased" }
  | { kind: "unmatched"; reason: string; waitsFor: readonly Matchable[] };

/**
 * Stores an observation, then sets the grade; processing the receipt again completes an interrupted one. Attendance of
 * nobody is kept for matching.
 */
export async function recordAttendance(
  deps: RecordAttendanceDeps,
  seen: SeenAttendance,
): Promise<RecordedAttendance> {
  const recorded = await recordObservation(deps, seen);
  if (recorded.kind === "recorded") await gradeMember(deps, recorded.course, recorded.person);
  return recorded;
}

/** Without the grade: after many observations everybody is graded once, and only then is their source done. */
export async function recordObservation(
  deps: RecordAttendanceDeps,
  seen: SeenAttendance,
): Promise<RecordedAttendance> {
  const { environment, eventId, userId } = seen;
  const event = await findEvent(deps, environment, eventId);
  if (event === null) {
    const reason = `The classroom does not know event ${eventId}.`;
    return unmatched(reason, [{ kind: "event", environment, id: eventId }]);
  }
  const course = event.courseId === null ? null : await deps.courses.find(event.courseId);
  if (course === null) return keepUnassigned(deps, event, seen);
  const attendee = await whoAttended(deps, course, environment, userId);
  const reported = { course, event, userId, known: attendee !== null, observation: seen.observation };
  if (await isErased(deps, reported)) return { kind: "erased" };
  return attendee === null
    ? unknownUser(deps, seen, course, "is nobody of this course's LMS who came through this tool.")
    : recordOf(deps, seen, { course, event, attendee });
}

async function recordOf(
  deps: RecordAttendanceDeps,
  seen: SeenAttendance,
  {
    course,
    event,
    attendee,
  }: {
    course: Course;
    event: ClassroomEvent;
    attendee: NonNullable<Awaited<ReturnType<typeof whoAttended>>>;
  },
): Promise<RecordedAttendance> {
  const { eventId } = seen;
  const { person, by, as } = attendee;
  const role = as === undefined ? {} : { as };
  const key = { registrationId: course.registrationId, courseId: course.id, personId: person.id };
  const member = await deps.members.find(key.registrationId, key.courseId, key.personId);
  // A match, a session taken over or a link to another Space reaches members of that instructor's course only.
  if (member === null && (by === "match" || event.spaceId !== course.spaceId))
    return unknownUser(deps, seen, course, `is not in the course of event ${eventId}.`);
  // An undone match takes it back.
  if (by === "match") await keep(deps, seen, course.id);
  const observation = await observationOf(deps, seen, { ...key, eventId }, role);
  if (observation === null) return { kind: "recorded", course, person, event, history: null };
  const first = { id: deps.ids.id("att"), sectionIds: member?.sectionIds ?? [] };
  const toRecord = await stripErasedAuthor(deps, course, { ...observation, ...role });
  const history = await deps.attendance.record({ ...key, eventId }, toRecord, first);
  return { kind: "recorded", course, person, event, history };
}

async function unknownUser(
  deps: RecordAttendanceDeps,
  seen: SeenAttendance,
  course: Course,
  why: string,
): Promise<RecordedAttendance> {
  const { environment, userId } = seen;
  await keep(deps, seen, course.id);
  return unmatched(`Classroom user ${userId} ${why}`, [{ kind: "user", environment, id: userId }]);
}

async function observationOf(
  deps: Pick<RecordAttendanceDeps, "attendance">,
  { observation }: SeenAttendance,
  key: Parameters<AttendanceStore["find"]>[0],
  role: Pick<AttendanceObservation, "as">,
): Promise<AttendanceObservation | null> {
  if (typeof observation !== "function") return observation;
  return observation(historyOfSameUser((await deps.attendance.find(key))?.history ?? [], role));
}

/** An event without a course is shown to the courses of the people it names. */
async function keepUnassigned(
  deps: RecordAttendanceDeps,
  event: ClassroomEvent,
  seen: SeenAttendance,
): Promise<RecordedAttendance> {
  const { environment, eventId, userId } = seen;
  const people = await everybodyWithUser(deps, environment, userId);
  for (const { id, registrationId } of people) {
    for (const member of await deps.members.listOfPerson(registrationId, id)) {
      if (member.active)
        await deps.unassignedEvents.note(
          { registrationId, courseId: member.courseId, environment, eventId },
          deps.clock.now(),
        );
    }
  }
  // Unknown people wait with the receipt until the event has a course.
  if (people.length > 0) await keep(deps, seen, null);
  const { courseId, spaceId } = event;
  const waitsFor: Matchable[] = [
    spaceId === null
      ? { kind: "event", environment, id: eventId }
      : { kind: "space", environment, id: spaceId },
    // Once they are known, their courses are shown the event.
    ...(people.length === 0 ? [{ kind: "user", environment, id: userId } as const] : []),
  ];
  if (courseId !== null) return unmatched(`The course of event ${eventId} is not known any more.`, waitsFor);
  if (spaceId === null) return unmatched(`Event ${eventId} is not linked to a Space.`, waitsFor);
  return unmatched(
    `Space ${spaceId} of event ${eventId} is no course's own, and not exactly one course has a link to it.`,
    waitsFor,
  );
}

async function keep(
  deps: Pick<RecordAttendanceDeps, "unmatchedAttendance" | "clock">,
  { environment, eventId, userId, observation }: SeenAttendance,
  courseId: string | null,
): Promise<void> {
  await deps.unmatchedAttendance.keep(
    { environment, eventId, userId },
    {
      courseId,
      observe: (known) => (typeof observation === "function" ? observation(known) : observation),
      now: deps.clock.now(),
    },
  );
}

function unmatched(reason: string, waitsFor: readonly Matchable[]): RecordedAttendance {
  return { kind: "unmatched", reason, waitsFor };
}
