import { slicesOf } from "../../kernel/lists.ts";
import { dayMs } from "../../kernel/clock.ts";
import type { App } from "../../app.ts";
import { currentAttendanceOf } from "../../domain/attendance.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course, Member } from "../../domain/course.ts";
import { isKnownIn } from "../../domain/person-scope.ts";
import { presenceOf, silenceMs, type Stay } from "../presence/rules/presence.ts";
import type { PresenceRecord } from "../presence/store/presence-store.ts";
import { maxSessions } from "../scheduling/list-sessions.ts";
import { wallTimeOf } from "../scheduling/rules/time-zone.ts";
import {
  askedForMs,
  maxPresences,
  maxStrangersClasses,
  type PlannedTime,
  type Visit,
  type VisitorRole,
} from "./rules/found-class.ts";
import type { UnplannedClass } from "./rules/compare-classes.ts";

/** What reading a Space's visits and planned sessions needs. */
export type VisitsApp = Pick<App, "members" | "people" | "presences"> &
  Pick<App, "userMatches" | "unplannedClasses" | "clock">;

const batchSize = 200;

/**
 * Returns all stays in a Space, by role in a course. A person with several users counts once. An unmatched user is never guessed by name.
 * @param span People heard of since `from` who came before `to` (ms; null: until now).
 */
export async function visitsOfSpace(
  app: VisitsApp,
  course: Course,
  spaceId: string,
  { from, to }: { from: number; to: number | null },
): Promise<Visit[]> {
  const now = app.clock.now();
  const { environment } = course;
  const records = await app.presences.listOfSpace({ environment, spaceId }, { from, to }, maxPresences);
  const visitors = await visitorsOf(app, course, [...new Set(records.map(({ userId }) => userId))]);
  return records.flatMap((record) => {
    const visitor = visitors.get(record.userId) ?? {
      who: `user ${record.userId}`,
      role: "stranger" as const,
    };
    return visitsIn(record, now).map((visit) => ({ ...visit, ...visitor }));
  });
}

/** Ids of unmatched classroom users heard of since `from` who came before `to` (ms). */
async function strangersInSpace(
  app: VisitsApp,
  course: Course,
  spaceId: string,
  span: { from: number; to: number },
): Promise<string[]> {
  const { environment } = course;
  const records = await app.presences.listOfSpace({ environment, spaceId }, span, maxPresences);
  const userIds = [...new Set(records.map(({ userId }) => userId))];
  const known = await visitorsOf(app, course, userIds);
  return userIds.filter((userId) => !known.has(userId));
}

function visitsIn(record: PresenceRecord, now: number): Omit<Visit, "who" | "role">[] {
  const { signs, endedAt, lastAt } = record;
  const { stays, heardAt } = presenceOf(signs, { sessionEndedAt: endedAt, heardAt: lastAt, now });
  return stays.map((stay) => ({ from: stay.from, to: stay.to, open: openEnd(stay, heardAt) }));
}

function openEnd({ from, to, end }: Stay, heardAt: number): Visit["open"] {
  if (end === "session-ended") return { heardAt, latest: to };
  return end === "silence" ? { heardAt, latest: Math.max(from, heardAt) + silenceMs } : null;
}

/** By user id, without unmatched users. */
async function visitorsOf(app: VisitsApp, course: Course, userIds: readonly string[]) {
  const { registrationId, deploymentId, environment } = course;
  const personOf = new Map<string, { id: string; isHere: boolean }>();
  for (const batch of slicesOf(userIds, batchSize)) {
    const [users, matches] = await Promise.all([
      app.people.listByApiUsers(environment, batch),
      app.userMatches.findMany({ registrationId, deploymentId, environment }, batch),
    ]);
    for (const { userId, person } of users)
      personOf.set(userId, { id: person.id, isHere: isKnownIn(person, course) });
    for (const { userId, personId } of matches) personOf.set(userId, { id: personId, isHere: true });
  }
  const ids = [...new Set([...personOf.values()].filter(({ isHere }) => isHere).map(({ id }) => id))];
  const roles = new Map<string, VisitorRole>();
  for (const batch of slicesOf(ids, batchSize)) {
    const key = { registrationId, courseId: course.id };
    const members = await app.members.findMany(key, batch);
    for (const member of members) roles.set(member.personId, roleOf(member));
  }
  return new Map(
    [...personOf].map(([userId, { id }]) => [userId, { who: id, role: roles.get(id) ?? "other" }]),
  );
}

function roleOf({ role, testUser, student }: Pick<Member, "role" | "testUser" | "student">): VisitorRole {
  if (role === "instructor") return "staff";
  return testUser || !student ? "other" : "learner";
}

/** An unmatched user of the classroom. */
export type Stranger = { userId: string; classes: Pick<UnplannedClass, "id" | "startsAt">[] };

/** Strangers in the course's latest unplanned classes, latest first. Ignores those that were no class. */
export async function strangersInClasses(app: VisitsApp, course: Course): Promise<Stranger[]> {
  const since = app.clock.now() - askedForMs;
  const all = await app.unplannedClasses.listOfCourse(course.id, since, maxStrangersClasses);
  const found = new Map<string, Stranger>();
  for (const { id, spaceId, startsAt, endsAt, state } of all) {
    if (state === "none") continue;
    for (const userId of await strangersInSpace(app, course, spaceId, { from: startsAt, to: endsAt })) {
      const stranger = found.get(userId) ?? { userId, classes: [] };
      stranger.classes.push({ id, startsAt });
      found.set(userId, stranger);
    }
  }
  return [...found.values()];
}

/** `eventId`: null while the classroom doesn't have it. `cancelled`: its marks still count. */
export type PlannedHour = PlannedTime & { eventId: string | null; cancelled: boolean };

/**
 * Sessions in a Space, of any course, and those of the course without a known Space, including planned ones that the classroom doesn't have
 * yet. Of cancelled sessions, only those with marks, which count, and those that an instructor cancelled afterwards: if another one took
 * place, that is a question.
 */
export async function plannedTimes(
  { events, sessionPlans, attendance }: Pick<App, "events" | "sessionPlans" | "attendance">,
  { id, registrationId, environment }: Pick<Course, "id" | "registrationId" | "environment">,
  spaceId: string,
  since: number,
): Promise<PlannedHour[]> {
  const [inSpace, ofCourse, plans] = await Promise.all([
    events.listInSpace(environment, spaceId, since),
    events.listSince(id, since, maxSessions),
    sessionPlans.listOfCourse(id, maxSessions),
  ]);
  const known = [...inSpace, ...ofCourse.filter((event) => event.spaceId === null)];
  const toMake = plans.filter(
    ({ state, eventId, startsAt }) =>
      eventId === null && ["wanted", "unknown", "assumed"].includes(state) && startsAt >= since,
  );
  const planned: PlannedHour[] = toMake.map((plan) => ({ ...plan, cancelled: false }));
  for (const event of known) {
    if (event.ours === true) continue;
    const isAnswered = async () => {
      if (event.cancelledHere === true) return (event.endsAt ?? Infinity) <= (event.cancelledAt ?? 0);
      const records = await attendance.listOfEvent(registrationId, id, event.eventId);
      return records.some((record) => currentAttendanceOf(record) !== null);
    };
    if (!event.cancelled || (await isAnswered())) planned.push(event);
  }
  return planned;
}

/** The planned sessions of a class's day that were empty. It may be one of them, held at another time. Earliest first. */
export async function postponedTo(
  { events, sessionPlans, attendance }: Pick<App, "events" | "sessionPlans" | "attendance">,
  { id, registrationId, timeZone }: Pick<Course, "id" | "registrationId" | "timeZone">,
  { startsAt }: Pick<UnplannedClass, "startsAt">,
): Promise<ClassroomEvent[]> {
  const dayOf = (at: number) => wallTimeOf(at, timeZone ?? "UTC").date;
  const near = await events.listBetween(id, startsAt - dayMs, startsAt);
  const uncounted = new Set(await sessionPlans.listUncounted(id));
  const missed: ClassroomEvent[] = [];
  for (const event of near) {
    const { eventId, startsAt: planned, cancelled, ours } = event;
    if (cancelled || ours === true || uncounted.has(eventId)) continue;
    if (planned === null || dayOf(planned) !== dayOf(startsAt)) continue;
    const records = await attendance.listOfEvent(registrationId, id, eventId);
    const isMissed = ({ seen, ...facts }: (typeof records)[number]) =>
      seen === undefined && (currentAttendanceOf(facts)?.status ?? "ABSENT") === "ABSENT";
    if (records.every(isMissed)) missed.push(event);
  }
  return missed;
}
