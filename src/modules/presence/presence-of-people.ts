import type { App } from "../../app.ts";
import { userIdsOf } from "../../domain/api-user.ts";
import type { CourseSession } from "../scheduling/rules/course-session.ts";
import type { Course } from "../../domain/course.ts";
import type { SeenPresence } from "../../domain/attendance.ts";
import { presenceIn, presenceOf, type PresenceShown, seenIn } from "./rules/presence.ts";
import type { PresenceRecord } from "./store/presence-store.ts";
import { receiptsKeptMs } from "../../inbox/rules/receipt.ts";
import { assumedSessionMs, maxEarlyMs, maxSessions, maxSigns } from "./rules/limits.ts";

export type PresenceOfPeopleDeps = Pick<App, "presences" | "events" | "people" | "userMatches" | "clock">;

/** People's presence by session; nothing for absent people or where nothing was reported. */
export type PresenceOfPeople = {
  of: (eventId: string, personId: string) => PresenceShown | null;
};

type Session = Pick<CourseSession, "eventId" | "startsAt" | "endsAt">;

const nobody: PresenceOfPeople = { of: () => null };

/** Evidence beside attendance, without effect. One indexed read for any number of people and sessions. */
export async function presenceOfPeople(
  deps: PresenceOfPeopleDeps,
  course: Course,
  sessions: readonly Session[],
  personIds: readonly string[],
): Promise<PresenceOfPeople> {
  const now = deps.clock.now();
  const dated = sessions
    .flatMap(({ eventId, startsAt, endsAt }) =>
      startsAt === null || startsAt > now || startsAt < now - receiptsKeptMs
        ? []
        : [{ eventId, startsAt, endsAt: endsAt ?? startsAt + assumedSessionMs }],
    )
    .slice(0, maxSessions);
  if (dated.length === 0 || personIds.length === 0) return nobody;
  const [spaceOf, usersOf] = await Promise.all([
    spacesOf(deps, course, dated),
    usersOfPeople(deps, course, personIds),
  ]);
  const records = await deps.presences.listOfUsers(
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
      const there = theirs.filter((record) => record.spaceId === spaceId).map((one) => computed(one, now));
      return presenceIn(there, session);
    },
  };
}

/** A planned session whose times are known. */
type TimedSession = { eventId: string; startsAt: number; endsAt: number };

/** When people were in a session, to be kept with it; who was not seen is left out. @param personIds A few hundred. */
export async function seenOfPeople(
  deps: PresenceOfPeopleDeps,
  course: Course,
  session: TimedSession,
  personIds: readonly string[],
): Promise<Map<string, SeenPresence>> {
  const now = deps.clock.now();
  const [spaceOf, usersOf] = await Promise.all([
    spacesOf(deps, course, [session]),
    usersOfPeople(deps, course, personIds),
  ]);
  const span = { from: session.startsAt - maxEarlyMs, to: session.endsAt };
  const users = [...usersOf.values()].flat();
  const records = await deps.presences.listOfUsers(course.environment, [...spaceOf.values()], users, span);
  const ofUser = Map.groupBy(records, ({ userId }) => userId);
  return new Map(
    [...usersOf].flatMap(([personId, userIds]): [string, SeenPresence][] => {
      const theirs = userIds.flatMap((userId) => ofUser.get(userId) ?? []);
      const seen = seenIn(
        theirs.map((record) => allSigns(record, now)),
        session,
      );
      return seen === null ? [] : [[personId, seen]];
    }),
  );
}

/** A full record has lost signs. */
function allSigns(record: PresenceRecord, now: number) {
  const presence = computed(record, now);
  return record.signs.length < maxSigns ? presence : { ...presence, cameUnknown: true };
}

function computed({ signs, endedAt, lastAt }: PresenceRecord, now: number) {
  return presenceOf(signs, { sessionEndedAt: endedAt, heardAt: lastAt, now });
}

/** The course's own where the classroom names none. */
async function spacesOf(
  { events }: Pick<PresenceOfPeopleDeps, "events">,
  { environment, spaceId }: Course,
  sessions: readonly { eventId: string }[],
): Promise<Map<string, string>> {
  const ids = sessions.map(({ eventId }) => eventId);
  const eventOf = new Map((await events.findMany(environment, ids)).map((event) => [event.eventId, event]));
  return new Map(
    ids.flatMap((eventId) => {
      const event = eventOf.get(eventId);
      const space = event?.spaceId ?? spaceId;
      // A session made of presence has it in its marks.
      return space === null || event?.ours === true ? [] : [[eventId, space] as const];
    }),
  );
}

/** Made for them in either role, or matched by an instructor. */
async function usersOfPeople(
  deps: Pick<PresenceOfPeopleDeps, "people" | "userMatches">,
  { registrationId, id: courseId, environment }: Course,
  personIds: readonly string[],
): Promise<Map<string, string[]>> {
  const [people, matches] = await Promise.all([
    deps.people.findMany(personIds),
    deps.userMatches.listOfCourse(registrationId, courseId),
  ]);
  const users = new Map(people.map((person): [string, string[]] => [person.id, userIdsOf(person)]));
  for (const match of matches)
    if (match.environment === environment) users.get(match.personId)?.push(match.userId);
  return users;
}
