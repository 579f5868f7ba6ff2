import type { AttendanceStore } from "./store/attendance-stores.ts";
import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import {
  type AttendanceHistory,
  type AttendanceObservation,
  historyOfSameUser,
} from "../../domain/attendance.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import { type Course, keyOfCourse, type Person } from "../../domain/course.ts";
import { isKnownIn } from "../../domain/person-scope.ts";
import type { Matchable } from "../../inbox/rules/receipt.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { gradeMembers, type GradingApp } from "../grading/grade-members.ts";
import {
  giveToCourse,
  keepEvent,
  type KeepEventApp,
  readEvent,
  restoreAttended,
} from "../scheduling/keep-event.ts";
import { isOfTheErased, redactedBody } from "../privacy/rules/erasure.ts";
import { erasedId } from "../../domain/personal-data.ts";

export type FindEventApp = KeepEventApp & Pick<App, "askedEvents">;

export type AttendanceApp = GradingApp &
  FindEventApp &
  Pick<App, "tombstones" | "unmatchedAttendance" | "userMatches">;

type SeenAttendance = {
  environment: AccountId;
  eventId: string;
  userId: string;
  /** For a reading of the classroom, a function that sees the history and decides whether there is something to add (null: no). */
  observation: AttendanceObservation | ((known: AttendanceHistory) => AttendanceObservation | null);
};

export type RecordedAttendance =
  | {
      kind: "recorded";
      course: Course;
      person: Person;
      event: ClassroomEvent;
      /** The classroom's complete history; null if nothing was added. */
      history: AttendanceHistory | null;
    }
  /** It is about an erased person, so nothing is stored. */
  | { kind: "erased" }
  | { kind: "unmatched"; reason: string; waitsFor: readonly Matchable[] };

/**
 * Stores an observation without computing the grade: after many observations, everybody is graded once, and only then is their source done.
 * Attendance of unknown people is kept for matching.
 */
export async function recordObservation(
  app: AttendanceApp,
  seen: SeenAttendance,
): Promise<RecordedAttendance> {
  const { environment, eventId, userId } = seen;
  const event = await findEvent(app, environment, eventId);
  if (event === null) {
    const reason = `The classroom does not know event ${eventId}.`;
    return unmatched(reason, [{ kind: "event", environment, id: eventId }]);
  }
  const course = event.courseId === null ? null : await app.courses.find(event.courseId);
  if (course === null) return keepUnassigned(app, event, seen);
  const attendee = await whoAttended(app, course, environment, userId);
  const reported = { course, event, userId, known: attendee !== null, observation: seen.observation };
  if (await isErased(app, reported)) return { kind: "erased" };
  return attendee === null
    ? unknownUser(app, seen, course, "is nobody of this course's LMS who came through this tool.")
    : recordOf(app, seen, { course, event, attendee });
}

async function recordOf(
  app: AttendanceApp,
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
  const key = { ...keyOfCourse(course), personId: person.id };
  const [member = null] = await app.members.findTogether(keyOfCourse(course), person.id);
  // A match, a session taken over or a link to another Space only reaches members of that instructor's course.
  if (member === null && (by === "match" || event.spaceId !== course.spaceId))
    return unknownUser(app, seen, course, `is not in the course of event ${eventId}.`);
  // Kept, so the attendance can be taken back if the match is undone.
  if (by === "match") await keep(app, seen, course.id);
  const observation = await observationOf(app, seen, { ...key, eventId }, role);
  if (observation === null) return { kind: "recorded", course, person, event, history: null };
  const first = { id: app.ids.id("att"), sectionIds: member?.sectionIds ?? [] };
  const toRecord = await stripErasedAuthor(app, course, { ...observation, ...role });
  const history = await app.attendance.record({ ...key, eventId }, toRecord, first);
  await restoreAttended(app, event, toRecord);
  return { kind: "recorded", course, person, event, history };
}

async function unknownUser(app: AttendanceApp, seen: SeenAttendance, course: Course, why: string) {
  const { environment, userId } = seen;
  await keep(app, seen, course.id);
  return unmatched(`Classroom user ${userId} ${why}`, [{ kind: "user", environment, id: userId }]);
}

async function observationOf(
  app: Pick<AttendanceApp, "attendance">,
  { observation }: SeenAttendance,
  key: Parameters<AttendanceStore["find"]>[0],
  role: Pick<AttendanceObservation, "as">,
): Promise<AttendanceObservation | null> {
  if (typeof observation !== "function") return observation;
  return observation(historyOfSameUser((await app.attendance.find(key))?.history ?? [], role));
}

/** Shows an event without a course to the courses of the people it names. */
async function keepUnassigned(app: AttendanceApp, event: ClassroomEvent, seen: SeenAttendance) {
  const { environment, eventId, userId } = seen;
  const people = await everybodyWithUser(app, environment, userId);
  for (const { id, registrationId } of people) {
    for (const member of await app.members.listOfPerson(registrationId, id)) {
      if (member.active)
        await app.unassignedEvents.note(
          { registrationId, courseId: member.courseId, environment, eventId },
          app.clock.now(),
        );
    }
  }
  // If the people are unknown, the receipt waits until the event has a course.
  if (people.length > 0) await keep(app, seen, null);
  const { courseId, spaceId } = event;
  const waitsFor: Matchable[] = [
    spaceId === null
      ? { kind: "event", environment, id: eventId }
      : { kind: "space", environment, id: spaceId },
    // Once the people are known, the event is offered to their courses.
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
  app: Pick<AttendanceApp, "unmatchedAttendance" | "clock">,
  { environment, eventId, userId, observation }: SeenAttendance,
  courseId: string | null,
): Promise<void> {
  await app.unmatchedAttendance.keep(
    { environment, eventId, userId },
    {
      courseId,
      observe: (known) => (typeof observation === "function" ? observation(known) : observation),
      now: app.clock.now(),
    },
  );
}

function unmatched(reason: string, waitsFor: readonly Matchable[]): RecordedAttendance {
  return { kind: "unmatched", reason, waitsFor };
}

/** Stores all facts first, then computes each score once. Only then is their source done. */
export async function recordMany(app: AttendanceApp, seen: readonly SeenAttendance[]): Promise<void> {
  const courses = new Map<string, { course: Course; people: Map<string, Person> }>();
  for (const [at, one] of seen.entries()) {
    const recorded = await recordObservation(app, one);
    if (at % 20 === 19) await letOthersRun();
    if (recorded.kind !== "recorded") continue;
    const { course, person } = recorded;
    const known = courses.get(course.id) ?? { course, people: new Map<string, Person>() };
    known.people.set(person.id, person);
    courses.set(course.id, known);
  }
  for (const { course, people } of courses.values()) await gradeMembers(app, course, [...people.values()]);
}

/** How long until an event without a course is read again (ms). Changes also come as webhooks. */
const freshMs = 10 * 60_000;

/**
 * Returns our record if it is settled. Otherwise asks GET /events/{id}, less often after each call without success.
 * @returns null if the classroom didn't know the event when last asked. @throws the classroom client's errors.
 */
export async function findEvent(
  app: FindEventApp,
  environment: AccountId,
  eventId: string,
): Promise<ClassroomEvent | null> {
  const known = await app.events.find(environment, eventId);
  if (known !== null && known.courseId !== null) return known;
  const { askedEvents } = app;
  const asks =
    (known === null || app.clock.now() - known.readAt >= freshMs) &&
    (await askedEvents.take(environment, eventId, app.clock.now()));
  if (!asks) return known === null ? null : giveToCourse(app, known);
  const { read, readAt } = await readEvent(app, environment, eventId).catch(async (thrown: unknown) => {
    await askedEvents.giveBack(environment, eventId);
    throw thrown;
  });
  if (read === null) return known;
  const report = { readAt, at: null, eventType: null, by: null, recurring: false };
  const stored = await keepEvent(app, { environment, eventId }, read, report);
  if (stored !== null && stored.courseId !== null) await askedEvents.forget(environment, eventId);
  return stored;
}

type Attendee = {
  person: Person;
  by: "api-user" | "match";
  /** "host": the attendance is of the person's host user. */
  as?: "host";
};

/** The person who has this classroom user, in a course's LMS deployment; null if unknown. Never found by name. */
export async function whoAttended(
  app: Pick<App, "people" | "userMatches">,
  course: Pick<Course, "registrationId" | "deploymentId" | "environment">,
  environment: AccountId,
  userId: string,
): Promise<Attendee | null> {
  const { registrationId, deploymentId } = course;
  const people = await app.people.listByApiUser(environment, userId);
  const own = people.find(({ person }) => isKnownIn(person, course));
  if (own !== undefined)
    return { person: own.person, by: "api-user", ...(own.role === "host" ? { as: own.role } : {}) };
  const match = await app.userMatches.find({ registrationId, deploymentId, environment, userId });
  const matched = match === null ? null : await app.people.find(match.personId);
  return matched === null ? null : { person: matched, by: "match" };
}

export async function everybodyWithUser(
  app: Pick<App, "people" | "userMatches">,
  environment: AccountId,
  userId: string,
): Promise<Pick<Person, "id" | "registrationId">[]> {
  const people = await app.people.listByApiUser(environment, userId);
  const matches = await app.userMatches.listOfUser(environment, userId);
  return [
    ...people.map(({ person }) => person),
    ...matches.map(({ personId, registrationId }) => ({ id: personId, registrationId })),
  ];
}

type ReportedAttendance = {
  course: Pick<Course, "registrationId">;
  event: ClassroomEvent;
  userId: string;
  known: boolean;
  observation: AttendanceObservation | ((known: AttendanceHistory) => AttendanceObservation | null);
};

export async function isErased(
  { tombstones, clock }: Pick<App, "clock" | "tombstones">,
  { course, event, userId, known, observation }: ReportedAttendance,
): Promise<boolean> {
  const { environment } = event;
  const mark = await tombstones.find(
    course.registrationId,
    { kind: "user", environment, userId },
    clock.now(),
  );
  if (mark === null) return false;
  const at = (typeof observation === "function" ? observation([]) : observation)?.at ?? null;
  return isOfTheErased(mark, { known, heldUntil: event.endsAt ?? event.startsAt, at });
}

/** Removes the author's id from an observation if the author was erased. */
async function stripErasedAuthor(
  { tombstones, clock }: Pick<App, "clock" | "tombstones">,
  { registrationId, environment }: Pick<Course, "registrationId" | "environment">,
  observation: AttendanceObservation,
): Promise<AttendanceObservation> {
  const { updatedBy: userId, at } = observation;
  if (userId === null) return observation;
  const mark = await tombstones.find(registrationId, { kind: "user", environment, userId }, clock.now());
  const erased = mark !== null && (mark.risenAt === null || at <= mark.erasedAt);
  return erased ? { ...observation, updatedBy: erasedId } : observation;
}

export function erasedOutcome(now: number) {
  return {
    state: "done",
    reason: "It is about somebody who was erased: nothing of it was kept.",
    nextTryAt: now,
    body: redactedBody,
  } as const;
}
