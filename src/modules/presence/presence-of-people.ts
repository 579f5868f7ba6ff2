import { hourMs } from "../../kernel/clock.ts";
import type { App } from "../../app.ts";
import { userIdsOf, personName } from "../../domain/person.ts";
import type { SeenPresence } from "../../domain/attendance.ts";
import type { Course } from "../../domain/course.ts";
import { isKnownIn } from "../../domain/person-scope.ts";
import { assumedLengthMs } from "../../domain/classroom-event.ts";
import { byId } from "../../kernel/lists.ts";
import { receiptRetentionMs } from "../../inbox/rules/receipt.ts";
import type { UserOfPerson } from "../members/store/person-store.ts";
import type { SessionEnd } from "../recordings/rules/recording.ts";
import type { SessionEndStore } from "../recordings/store/recording-store.ts";
import type { CourseSession } from "../scheduling/rules/course-session.ts";
import {
  maxSigns,
  presenceIn,
  presenceOf,
  type PresenceSummary,
  seenIn,
  silenceMs,
} from "./rules/presence.ts";
import type { PresenceRecord } from "./store/presence-store.ts";

/** The longest delay of the webhook, which comes after the session was processed (interface 6.3). */
const maxReportDelayMs = 3 * hourMs;
const maxEnds = 200;
/** Further people are counted, not named. */
const maxNamed = 300;
/** A person who came this long before a session may still be there. */
const maxEarlyMs = 12 * hourMs;
/** Presence is only kept for a while, so no page asks for more. */
const maxSessions = 400;

/** What reading past presence needs. */
export type PresenceApp = Pick<App, "presences" | "events" | "people" | "userMatches" | "clock">;

/** What reading current presence needs. */
export type HereApp = Omit<PresenceApp, "events"> & Pick<App, "courseLinks" | "courses" | "members">;

/** People's presence by session. Null for absent people, or if nothing was reported. */
type PresenceOfPeople = { of: (eventId: string, personId: string) => PresenceSummary | null };

const nobody: PresenceOfPeople = { of: () => null };

/** Evidence that attendance doesn't use. One indexed read for any number of people and sessions. */
export async function presenceOfPeople(
  app: PresenceApp,
  course: Course,
  sessions: readonly Pick<CourseSession, "eventId" | "startsAt" | "endsAt">[],
  personIds: readonly string[],
): Promise<PresenceOfPeople> {
  const now = app.clock.now();
  const dated = sessions
    .flatMap(({ eventId, startsAt, endsAt }) =>
      startsAt === null || startsAt > now || startsAt < now - receiptRetentionMs
        ? []
        : [{ eventId, startsAt, endsAt: endsAt ?? startsAt + assumedLengthMs }],
    )
    .slice(0, maxSessions);
  if (dated.length === 0 || personIds.length === 0) return nobody;
  const [spaceOf, usersOf] = await Promise.all([
    spacesOf(app, course, dated),
    usersOfPeople(app, course, personIds),
  ]);
  const records = await app.presences.listOfUsers(
    course.environment,
    [...new Set(spaceOf.values())],
    [...usersOf.values()].flat(),
    {
      from: Math.min(...dated.map(({ startsAt }) => startsAt)) - maxEarlyMs,
      to: Math.max(...dated.map(({ endsAt }) => endsAt)),
    },
  );
  if (records.length === 0) return nobody;
  const ofUser = Map.groupBy(records, ({ userId }) => userId);
  const times = new Map(dated.map((session) => [session.eventId, session]));
  return {
    of: (eventId, personId) => {
      const session = times.get(eventId);
      const spaceId = spaceOf.get(eventId);
      if (session === undefined || spaceId === undefined) return null;
      const theirs = (usersOf.get(personId) ?? []).flatMap((userId) => ofUser.get(userId) ?? []);
      const inSpace = theirs.filter((record) => record.spaceId === spaceId).map((one) => computed(one, now));
      return presenceIn(inSpace, session);
    },
  };
}

/** A planned session whose times are known. */
type TimedSession = { eventId: string; startsAt: number; endsAt: number };

/** When people were in a session, to be stored with it. Leaves out people who weren't seen. @param personIds A few hundred. */
export async function seenOfPeople(
  app: PresenceApp,
  course: Course,
  session: TimedSession,
  personIds: readonly string[],
): Promise<Map<string, SeenPresence>> {
  const now = app.clock.now();
  const [spaceOf, usersOf] = await Promise.all([
    spacesOf(app, course, [session]),
    usersOfPeople(app, course, personIds),
  ]);
  const span = { from: session.startsAt - maxEarlyMs, to: session.endsAt };
  const users = [...usersOf.values()].flat();
  const records = await app.presences.listOfUsers(course.environment, [...spaceOf.values()], users, span);
  const ofUser = Map.groupBy(records, ({ userId }) => userId);
  return new Map(
    [...usersOf].flatMap(([personId, userIds]): [string, SeenPresence][] => {
      const theirs = userIds.flatMap((userId) => ofUser.get(userId) ?? []);
      const seen = seenIn(
        theirs.map((record) => {
          const presence = computed(record, now);
          // A full record has lost signs.
          return record.signs.length < maxSigns ? presence : { ...presence, cameUnknown: true };
        }),
        session,
      );
      return seen === null ? [] : [[personId, seen]];
    }),
  );
}

function computed({ signs, endedAt, lastAt }: PresenceRecord, now: number) {
  return presenceOf(signs, { sessionEndedAt: endedAt, heardAt: lastAt, now });
}

/** The course's own Space if the classroom names none. */
async function spacesOf(
  { events }: Pick<PresenceApp, "events">,
  { environment, spaceId }: Course,
  sessions: readonly { eventId: string }[],
): Promise<Map<string, string>> {
  const ids = sessions.map(({ eventId }) => eventId);
  const eventOf = new Map((await events.findMany(environment, ids)).map((event) => [event.eventId, event]));
  return new Map(
    ids.flatMap((eventId) => {
      const event = eventOf.get(eventId);
      const space = event?.spaceId ?? spaceId;
      // A session made from presence has it in its marks.
      return space === null || event?.ours === true ? [] : [[eventId, space] as const];
    }),
  );
}

/** The classroom users of people: made for them in either role, or matched by an instructor. */
async function usersOfPeople(
  app: Pick<PresenceApp, "people" | "userMatches">,
  { registrationId, id: courseId, environment }: Course,
  personIds: readonly string[],
): Promise<Map<string, string[]>> {
  const [people, matches] = await Promise.all([
    app.people.findMany(personIds),
    app.userMatches.listOfCourse(registrationId, courseId),
  ]);
  const merged = await app.people.listMergedInto(people);
  const users = new Map(people.map((person): [string, string[]] => [person.id, userIdsOf(person)]));
  for (const one of merged) users.get(one.mergedInto ?? "")?.push(...userIdsOf(one));
  for (const match of matches)
    if (match.environment === environment) users.get(match.personId)?.push(match.userId);
  return users;
}

/** How many people are in a course's Spaces now. Counts a person once who is known to be present as both host and participant. */
export async function countHere(app: Omit<HereApp, "members" | "userMatches">, course: Course) {
  const spaceIds = await openSpaces(app, course);
  if (spaceIds.length === 0) return 0;
  const { environment } = course;
  const since = app.clock.now() - silenceMs;
  const all = await app.presences.countHere(environment, spaceIds, since);
  if (all < 2) return all;
  const here = await app.presences.listHere(environment, spaceIds, since, maxNamed);
  const userIds = [...new Set(here.map(({ userId }) => userId))];
  return all - countedTwice(await app.people.listByApiUsers(environment, userIds));
}

/** Who is in a course's Spaces now. Names only members of this course: other courses may share a Space, and their people are `others`. */
export async function listHere(app: HereApp, course: Course) {
  const spaceIds = await openSpaces(app, course);
  if (spaceIds.length === 0) return { all: 0, people: [], others: 0 };
  const { environment, registrationId, deploymentId } = course;
  const since = app.clock.now() - silenceMs;
  const here = await app.presences.listHere(environment, spaceIds, since, maxNamed);
  const cameAt = new Map<string, number>();
  for (const record of here) {
    const came = cameOf(record);
    cameAt.set(record.userId, Math.min(came, cameAt.get(record.userId) ?? came));
  }
  const userIds = [...cameAt.keys()];
  const isEverybody = here.length < maxNamed;
  const all = isEverybody ? userIds.length : await app.presences.countHere(environment, spaceIds, since);
  const [users, matches] = await Promise.all([
    app.people.listByApiUsers(environment, userIds),
    app.userMatches.findMany({ registrationId, deploymentId, environment }, userIds),
  ]);
  const ours = users.filter(({ person }) => isKnownIn(person, course));
  const matched = await app.people.findMany(matches.map(({ personId }) => personId));
  const cameAs = Map.groupBy(
    [...matches, ...ours.map(({ userId, person }) => ({ userId, personId: person.id }))],
    ({ personId }) => personId,
  );
  const everybody = byId([...matched, ...ours.map(({ person }) => person)]);
  const members = await app.members.findMany({ registrationId, courseId: course.id }, [...everybody.keys()]);
  const people = members.flatMap((member) => {
    const person = everybody.get(member.personId);
    if (person === undefined) return [];
    const came = (cameAs.get(person.id) ?? []).flatMap(({ userId }) => cameAt.get(userId) ?? []);
    const since = Math.min(...came, app.clock.now());
    const { role } = member;
    // A pseudonym if the LMS withholds names.
    return [{ personId: person.id, name: personName(person, role), role, since }];
  });
  people.sort((one, other) => one.since - other.since || one.personId.localeCompare(other.personId));
  const total = Math.max(all - countedTwice(users), people.length);
  return { all: total, people, others: total - people.length };
}

/** How many of the users belong to a person who is counted through another user. */
function countedTwice(users: readonly UserOfPerson[]): number {
  const userIds = new Set(users.map(({ userId }) => userId));
  const ofPerson = Map.groupBy(users, ({ person }) => person.id);
  let twice = 0;
  for (const own of ofPerson.values()) {
    const others = own.slice(1).filter(({ userId }) => userIds.delete(userId));
    twice += others.length;
  }
  return twice;
}

/** When a present person came (ms). */
function cameOf({ signs, firstAt, lastAt }: PresenceRecord): number {
  return presenceOf(signs, { sessionEndedAt: null, now: lastAt }).stays.at(-1)?.from ?? firstAt;
}

/** Spaces that a course and its links open and have a right to. */
async function openSpaces(app: Pick<HereApp, "courseLinks" | "courses">, course: Course): Promise<string[]> {
  const links = await app.courseLinks.listOfCourse(course.registrationId, course.id);
  const linked = links.flatMap(({ choice }) => (choice.kind === "space" ? [choice.spaceId] : []));
  const named = [...(course.spaceId === null ? [] : [course.spaceId]), ...linked];
  return [...(await app.courses.usableOf(course, named))];
}

type EndedSession = { key: string; spaceId: string | null; startsAt: number | null; endsAt: number | null };

/**
 * Milliseconds by key. An end belongs to the session in its Space that began last, unless that was over long before. If there are several
 * ends, the latest counts.
 */
export async function reportedEnds(
  app: { sessionEnds: Pick<SessionEndStore, "listOfSpaces"> },
  { environment }: Pick<Course, "environment">,
  sessions: readonly EndedSession[],
): Promise<ReadonlyMap<string, number>> {
  const spaceIds = [...new Set(sessions.flatMap(({ spaceId }) => spaceId ?? []))];
  const ends = await app.sessionEnds.listOfSpaces(environment, spaceIds, maxEnds);
  const endedAts = new Map<string, number>();
  for (const end of ends) {
    const session = endedBy(end, sessions);
    if (session !== null) endedAts.set(session.key, Math.max(end.endedAt, endedAts.get(session.key) ?? 0));
  }
  return endedAts;
}

function endedBy({ spaceId, endedAt }: SessionEnd, sessions: readonly EndedSession[]): EndedSession | null {
  let last: (EndedSession & { startsAt: number }) | null = null;
  for (const session of sessions) {
    const { startsAt } = session;
    if (session.spaceId !== spaceId || startsAt === null || startsAt > endedAt) continue;
    if (last === null || startsAt > last.startsAt) last = { ...session, startsAt };
  }
  return last !== null && endedAt <= (last.endsAt ?? last.startsAt + assumedLengthMs) + maxReportDelayMs
    ? last
    : null;
}
