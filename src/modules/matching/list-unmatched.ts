import type { App } from "../../app.ts";
import { type AttendanceHistory, latestObservation } from "../../domain/attendance.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course, Person } from "../../domain/course.ts";
import type { StrayEvent, UnmatchedAttendance, UserMatch } from "./rules/unmatched.ts";
import { isKnownIn } from "../../domain/person-place.ts";

export type ListUnmatchedDeps = Pick<
  App,
  "events" | "members" | "people" | "strayEvents" | "unmatchedAttendance" | "userMatches"
>;

/** A user of the classroom who attended sessions of a course and is nobody here. */
export type UnmatchedUser = {
  userId: string;
  /** Put aside by an instructor. */
  aside: boolean;
  /** The latest session first; ones without a time come last. */
  sessions: readonly { eventId: string; title: string | null; startsAt: number | null; status: string }[];
};

/** An event of no course that names people of this one. */
export type UnmatchedEvent = {
  eventId: string;
  title: string | null;
  startsAt: number | null;
  endsAt: number | null;
  /** How many people of this course it names. */
  people: number;
  /** Cohorts of the classroom that it is for; empty also where that is not told. */
  cohortIds: readonly string[];
};

/** A user or an event that was matched in a course: when, and by whom. `by` is null when that person is not known any more. */
export type Matched = { at: number; by: Person | null };

/** All that is unmatched in a course, and what was matched. */
export type Unmatched = {
  users: readonly UnmatchedUser[];
  events: readonly UnmatchedEvent[];
  /** Events of which an instructor said that they are not this course's. */
  hidden: readonly UnmatchedEvent[];
  /** Users that were matched in this course, the latest first. */
  matches: readonly ({ match: UserMatch; person: Person } & Matched)[];
  /** Events of which an instructor said that they are this course's, the latest first. */
  ours: readonly (Pick<UnmatchedEvent, "eventId" | "title" | "startsAt"> & Matched)[];
};

/** More records than these are not looked at. */
const maxRows = 5_000;
const maxEvents = 50;
const maxOwnEvents = 500;
const batchSize = 200;

/** What an instructor of a course may match: only what concerns this course, and nothing of others. */
export async function listUnmatched(deps: ListUnmatchedDeps, course: Course): Promise<Unmatched> {
  const { registrationId, id: courseId } = course;
  const [users, events, hidden, matches, strays] = await Promise.all([
    unmatchedUsers(deps, course),
    unmatchedEvents(deps, course, "open"),
    unmatchedEvents(deps, course, "not-ours"),
    deps.userMatches.listOfCourse(registrationId, courseId),
    deps.strayEvents.listOfCourse(registrationId, courseId, "ours", maxOwnEvents),
  ]);
  const ids = [
    ...matches.flatMap(({ personId, by }) => [personId, by]),
    ...strays.flatMap(({ by }) => by ?? []),
  ];
  const people = await peopleById(deps, ids);
  const known = await eventsById(deps, course, strays);
  return {
    users,
    events,
    hidden,
    matches: matches.flatMap((match) => {
      const person = people.get(match.personId);
      return person === undefined ? [] : [{ match, person, at: match.at, by: people.get(match.by) ?? null }];
    }),
    ours: strays
      .map(({ eventId, at, by }) => {
        const { title = null, startsAt = null } = known.get(eventId) ?? {};
        return { eventId, title, startsAt, at: at ?? 0, by: people.get(by ?? "") ?? null };
      })
      .sort((one, other) => other.at - one.at),
  };
}

async function peopleById(
  deps: Pick<ListUnmatchedDeps, "people">,
  ids: readonly string[],
): Promise<Map<string, Person>> {
  const different = [...new Set(ids)];
  const found = new Map<string, Person>();
  for (let from = 0; from < different.length; from += batchSize) {
    const some = await deps.people.findMany(different.slice(from, from + batchSize));
    for (const person of some) found.set(person.id, person);
  }
  return found;
}

/** How many users and events an instructor has not looked at yet. */
export async function countUnmatched(deps: ListUnmatchedDeps, course: Course): Promise<number> {
  const users = await unmatchedUsers(deps, course);
  const events = await unmatchedEvents(deps, course, "open");
  return users.filter(({ aside }) => !aside).length + events.length;
}

async function unmatchedUsers(deps: ListUnmatchedDeps, course: Course): Promise<UnmatchedUser[]> {
  const rows = await deps.unmatchedAttendance.listOfCourse(course.id, maxRows);
  if (rows.length === 0) return [];
  const userIds = [...new Set(rows.map(({ userId }) => userId))];
  const known = await knownUsers(deps, course, userIds);
  const events = await eventsById(deps, course, rows);
  return userIds
    .filter((userId) => !known.has(userId))
    .map((userId) => {
      const own = rows.filter((row) => row.userId === userId);
      const sessions = own.flatMap(({ eventId, history }) => {
        const event = events.get(eventId);
        const status = latestObservation(history)?.status;
        // A session that was moved to another course is that course's.
        if (event === undefined || event.courseId !== course.id || status === undefined) return [];
        return [{ eventId, title: event.title, startsAt: event.startsAt, status }];
      });
      return {
        userId,
        aside: own.every(({ asideAt }) => asideAt !== null),
        sessions: sessions.sort((one, other) => (other.startsAt ?? 0) - (one.startsAt ?? 0)),
      };
    })
    .filter(({ sessions }) => sessions.length > 0)
    .sort(
      (one, other) => other.sessions.length - one.sessions.length || (one.userId < other.userId ? -1 : 1),
    );
}

/** Those of some users who are somebody in the course's deployment. */
async function knownUsers(
  deps: Pick<ListUnmatchedDeps, "people" | "userMatches">,
  course: Course,
  userIds: readonly string[],
): Promise<Map<string, string>> {
  const { registrationId, deploymentId, environment } = course;
  const known = new Map<string, string>();
  for (let from = 0; from < userIds.length; from += batchSize) {
    const some = userIds.slice(from, from + batchSize);
    const place = { registrationId, deploymentId, environment };
    for (const { userId, personId } of await deps.userMatches.findMany(place, some))
      known.set(userId, personId);
    for (const { userId, person } of await deps.people.listByApiUsers(environment, some))
      if (isKnownIn(person, course)) known.set(userId, person.id);
  }
  return known;
}

async function eventsById(
  deps: Pick<ListUnmatchedDeps, "events">,
  course: Course,
  rows: readonly { eventId: string }[],
): Promise<Map<string, ClassroomEvent>> {
  const ids = [...new Set(rows.map(({ eventId }) => eventId))];
  const events = await deps.events.findMany(course.environment, ids);
  return new Map(events.map((event) => [event.eventId, event]));
}

async function unmatchedEvents(
  deps: ListUnmatchedDeps,
  course: Course,
  answer: StrayEvent["answer"],
): Promise<UnmatchedEvent[]> {
  const strays = await deps.strayEvents.listOfCourse(course.registrationId, course.id, answer, maxEvents);
  if (strays.length === 0) return [];
  const events = await eventsById(deps, course, strays);
  const found: UnmatchedEvent[] = [];
  for (const { eventId } of strays) {
    const event = events.get(eventId);
    // What became a course's meanwhile, by its Space or by an instructor's word, is no question any more.
    if (event === undefined || event.courseId !== null) continue;
    const people = await membersNamed(deps, course, eventId);
    if (people === 0) continue;
    const { title, startsAt, endsAt, cohortIds } = event;
    found.push({ eventId, title, startsAt, endsAt, people, cohortIds: cohortIds ?? [] });
  }
  return found.sort((one, other) => (other.startsAt ?? 0) - (one.startsAt ?? 0));
}

async function membersNamed(deps: ListUnmatchedDeps, course: Course, eventId: string): Promise<number> {
  const rows = await deps.unmatchedAttendance.listOfEvent(course.environment, eventId, maxRows);
  const userIds = rows.filter(isToldOf).map(({ userId }) => userId);
  const personIds = [...new Set((await knownUsers(deps, course, userIds)).values())];
  let number = 0;
  for (let from = 0; from < personIds.length; from += batchSize) {
    const members = await deps.members.findMany(
      { registrationId: course.registrationId, courseId: course.id },
      personIds.slice(from, from + batchSize),
    );
    number += members.filter(({ active }) => active).length;
  }
  return number;
}

function isToldOf({
  history,
}: Pick<UnmatchedAttendance, "history"> & { history: AttendanceHistory }): boolean {
  return history.length > 0;
}
