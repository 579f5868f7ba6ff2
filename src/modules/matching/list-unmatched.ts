import { byId, byKey, compareText, inSlices, slicesOf } from "../../kernel/lists.ts";
import { personsOfUsers } from "../members/people.ts";
import type { App } from "../../app.ts";
import { latestObservation } from "../../domain/attendance.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course } from "../../domain/course.ts";
import { strangersInClasses } from "../unplanned/visits-of-space.ts";
import type { UnassignedEvent } from "./rules/records.ts";

export type MatchingApp = Pick<App, "events" | "members" | "people"> &
  Pick<App, "presences" | "unassignedEvents" | "clock"> &
  Pick<App, "unmatchedAttendance" | "unplannedClasses" | "userMatches">;

export type Unmatched = Awaited<ReturnType<typeof listUnmatched>>;
export type UnmatchedUser = Unmatched["users"][number];
export type UnmatchedEvent = Unmatched["events"][number];
/** `by`: null if that person is gone. */
export type Matched = Pick<Unmatched["ours"][number], "at" | "by">;

const maxRows = 5_000;
/** How many events without a course are shown and read, and how many of the course's own are read. */
const maxEvents = 50;
const maxOwnEvents = 500;
const batchSize = 200;

/** Unmatched users and events that concern this course. */
export async function listUnmatched(app: MatchingApp, course: Course) {
  const { registrationId, id: courseId } = course;
  const [users, strangers, events, hidden, matches, unassigned] = await Promise.all([
    unmatchedUsers(app, course),
    strangersInClasses(app, course),
    unmatchedEvents(app, course, "open"),
    unmatchedEvents(app, course, "not-ours"),
    app.userMatches.listOfCourse(registrationId, courseId),
    app.unassignedEvents.listOfCourse(registrationId, courseId, "ours", maxOwnEvents),
  ]);
  const ids = [
    ...matches.flatMap(({ personId, by }) => [personId, by]),
    ...unassigned.flatMap(({ by }) => by ?? []),
  ];
  const people = byId(await inSlices([...new Set(ids)], batchSize, app.people.findMany));
  const known = await eventsById(app, course, unassigned);
  const listed = new Set(users.map(({ userId }) => userId));
  return {
    users,
    /** Users without attendance who were seen in unplanned classes. Not counted, because nothing waits for them. */
    visitors: strangers.filter(({ userId }) => !listed.has(userId)),
    events,
    /** Answered "not-ours". */
    hidden,
    matches: matches.flatMap((match) => {
      const person = people.get(match.personId);
      return person === undefined ? [] : [{ match, person, at: match.at, by: people.get(match.by) ?? null }];
    }),
    ours: unassigned
      .map(({ eventId, at, by }) => {
        const { title = null, startsAt = null } = known.get(eventId) ?? {};
        return { eventId, title, startsAt, at: at ?? 0, by: people.get(by ?? "") ?? null };
      })
      .sort((one, other) => other.at - one.at),
  };
}

/** Counts those that nobody has answered or ignored. */
export async function countUnmatched(app: MatchingApp, course: Course): Promise<number> {
  const [users, events] = await Promise.all([
    unmatchedUsers(app, course),
    unmatchedEvents(app, course, "open"),
  ]);
  return users.filter(({ aside }) => !aside).length + events.length;
}

/** Users of the classroom with attendance but without a person. */
async function unmatchedUsers(app: MatchingApp, course: Course) {
  const rows = await app.unmatchedAttendance.listOfCourse(course.id, maxRows);
  if (rows.length === 0) return [];
  const userIds = [...new Set(rows.map(({ userId }) => userId))];
  const known = await personsOfUsers(app, course, userIds);
  const events = await eventsById(app, course, rows);
  return userIds
    .filter((userId) => !known.has(userId))
    .map((userId) => {
      const own = rows.filter((row) => row.userId === userId);
      const sessions = own.flatMap(({ eventId, history }) => {
        const event = events.get(eventId);
        const status = latestObservation(history)?.status;
        // A session that was moved belongs to its new course.
        if (event === undefined || event.courseId !== course.id || status === undefined) return [];
        return [{ eventId, title: event.title, startsAt: event.startsAt, status }];
      });
      return {
        userId,
        /** An instructor put the user aside. */
        aside: own.every(({ asideAt }) => asideAt !== null),
        /** Latest first. Sessions without a time come last. */
        sessions: sessions.sort((one, other) => (other.startsAt ?? 0) - (one.startsAt ?? 0)),
      };
    })
    .filter(({ sessions }) => sessions.length > 0)
    .sort(
      (one, other) => other.sessions.length - one.sessions.length || compareText(one.userId, other.userId),
    );
}

async function eventsById(
  app: Pick<MatchingApp, "events">,
  course: Course,
  rows: readonly { eventId: string }[],
): Promise<Map<string, ClassroomEvent>> {
  const ids = [...new Set(rows.map(({ eventId }) => eventId))];
  return byKey(await app.events.findMany(course.environment, ids), ({ eventId }) => eventId);
}

/** Events without a course that name people of this course. */
async function unmatchedEvents(app: MatchingApp, course: Course, answer: UnassignedEvent["answer"]) {
  const unassigned = await app.unassignedEvents.listOfCourse(
    course.registrationId,
    course.id,
    answer,
    maxOwnEvents,
  );
  if (unassigned.length === 0) return [];
  const events = await eventsById(app, course, unassigned);
  const found = [];
  for (const { eventId } of unassigned) {
    if (found.length === maxEvents) break;
    const event = events.get(eventId);
    // It belongs to a course by now.
    if (event === undefined || event.courseId !== null) continue;
    const people = await membersNamed(app, course, eventId);
    if (people === 0) continue;
    const { title, startsAt, endsAt, cohortIds } = event;
    // Empty also if cohorts aren't reported.
    found.push({ eventId, title, startsAt, endsAt, people, cohortIds: cohortIds ?? [] });
  }
  return found.sort((one, other) => (other.startsAt ?? 0) - (one.startsAt ?? 0));
}

async function membersNamed(app: MatchingApp, course: Course, eventId: string): Promise<number> {
  const rows = await app.unmatchedAttendance.listOfEvent(course.environment, eventId, maxRows);
  const userIds = rows.flatMap(({ history, userId }) => (history.length > 0 ? [userId] : []));
  const personIds = [...new Set([...(await personsOfUsers(app, course, userIds)).values()].flat())];
  let number = 0;
  for (const batch of slicesOf(personIds, batchSize)) {
    const members = await app.members.findMany(
      { registrationId: course.registrationId, courseId: course.id },
      batch,
    );
    number += members.filter(({ active }) => active).length;
  }
  return number;
}

const waitMs = 3_000;
const checkIntervalMs = 50;

/** Waits a moment until answers are applied. @returns false if they are applied later. */
export async function waitForMatches(
  { userMatches, unassignedEvents, clock }: Pick<App, "unassignedEvents" | "userMatches" | "clock">,
  { registrationId, id }: Pick<Course, "registrationId" | "id">,
): Promise<boolean> {
  for (let waited = 0; ; waited += checkIntervalMs) {
    const left =
      (await userMatches.countToApply(registrationId, id)) +
      (await unassignedEvents.countToApply(registrationId, id));
    if (left === 0) return true;
    if (waited >= waitMs) return false;
    await clock.sleep(checkIntervalMs);
  }
}
