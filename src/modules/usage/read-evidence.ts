import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import { currentAttendanceOf } from "../../domain/attendance.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { compareText, slicesOf } from "../../kernel/lists.ts";
import { dayMs } from "../../kernel/clock.ts";
import { presenceOf } from "../presence/rules/presence.ts";
import type { PresenceRecord } from "../presence/store/presence-store.ts";
import { byDay, dayOf, sessionStarts, type SeenSession } from "./rules/usage.ts";

/** What reading who used the classroom needs. */
export type UsageApp = Pick<
  App,
  "accounts" | "attendance" | "clock" | "courses" | "events" | "people" | "presences"
>;

/** Who and what was seen in an LMS and account on a day. Ids stay in memory. */
export type Evidence = {
  registrationId: string;
  account: AccountId;
  day: number;
  courses: Set<string>;
  people: Set<string>;
  sessions: number;
  ms: number;
};

type KnownCourse = { id: string; registrationId: string };
type PastEvent = Pick<ClassroomEvent, "eventId" | "environment" | "spaceId"> & {
  course: KnownCourse;
  startsAt: number;
  endsAt: number | null;
  people: readonly string[];
};

const sliceMs = 2 * 60_000;
const batchSize = 200;
const present: readonly string[] = ["PRESENT", "LATE"];

/**
 * Reads what the classroom reported about some days: attendance of scheduled events, and who was in a Space. Each read is a range of an index:
 * the events of an account that began then, the attendance of one event, two minutes of presence.
 * @param from The first day (ms). @param before The day after the last one.
 */
export async function readEvidence(
  app: UsageApp,
  { from, before }: { from: number; before: number },
): Promise<Evidence[]> {
  const gathered = gatherer();
  const events = await pastEvents(app, from, before);
  for (const { course, environment, startsAt, people } of events) {
    if (people.length === 0) continue;
    const entry = gathered.of(course.registrationId, environment, dayOf(startsAt));
    entry.courses.add(course.id);
    for (const id of people) entry.people.add(id);
  }
  const seen = await readPresence(app, gathered, { from, before });
  const bySpace = Map.groupBy(events, ({ environment, spaceId }) => keyOf(environment, spaceId ?? ""));
  for (const [key, space] of seen)
    noteSessions(gathered, space, bySpace.get(key) ?? [], [...space.sessions.values()], { from, before });
  for (const [key, own] of bySpace) {
    const [first] = own;
    if (first !== undefined && !seen.has(key)) noteSessions(gathered, first, own, [], { from, before });
  }
  return gathered.all();
}

type Gathered = ReturnType<typeof gatherer>;

function gatherer() {
  const entries = new Map<string, Evidence>();
  return {
    of: (registrationId: string, account: AccountId, day: number): Evidence => {
      const key = JSON.stringify([registrationId, account, day]);
      const known = entries.get(key) ?? {
        registrationId,
        account,
        day,
        sessions: 0,
        ms: 0,
        courses: new Set<string>(),
        people: new Set<string>(),
      };
      entries.set(key, known);
      return known;
    },
    all: () => [...entries.values()],
  };
}

function keyOf(environment: AccountId, spaceId: string): string {
  return JSON.stringify([environment, spaceId]);
}

/** An event counts for its own course, a session outside events for the Space's course. */
function noteSessions(
  gathered: Gathered,
  { course, environment }: { course: KnownCourse; environment: AccountId },
  events: readonly PastEvent[],
  seen: readonly SeenSession[],
  { from, before }: { from: number; before: number },
): void {
  const planned = events.map(({ startsAt, endsAt, people }) => ({
    startsAt,
    endsAt,
    attended: people.length > 0,
  }));
  for (const at of sessionStarts(planned, seen)) {
    if (at < from || at >= before) continue;
    const whose = events.find(({ startsAt }) => startsAt === at)?.course ?? course;
    const entry = gathered.of(whose.registrationId, environment, dayOf(at));
    entry.sessions += 1;
    entry.courses.add(whose.id);
  }
}

/** Events of courses that began in this time, with the people who attended. */
async function pastEvents(app: UsageApp, from: number, before: number): Promise<PastEvent[]> {
  const events: PastEvent[] = [];
  for (const account of app.accounts.ids()) {
    const listed = await app.events.listStarted(account, from, before);
    const courses = await knownCourses(app, listed);
    for (const { eventId, environment, spaceId, courseId, startsAt, endsAt } of listed) {
      const course = courses.get(courseId ?? "");
      if (course === undefined || startsAt === null) continue;
      const facts = await app.attendance.listOfEvent(course.registrationId, course.id, eventId);
      const attended = facts.filter((one) => present.includes(currentAttendanceOf(one)?.status ?? ""));
      events.push({
        eventId,
        environment,
        spaceId,
        course,
        startsAt,
        endsAt,
        people: attended.map(({ personId }) => personId),
      });
      await letOthersRun();
    }
  }
  return events;
}

async function knownCourses({ courses }: UsageApp, events: readonly Pick<ClassroomEvent, "courseId">[]) {
  const ids = [...new Set(events.flatMap(({ courseId }) => courseId ?? []))];
  const found = new Map<string, KnownCourse>();
  for (const batch of slicesOf(ids, batchSize)) {
    for (const { course } of await courses.listMany(batch))
      found.set(course.id, { id: course.id, registrationId: course.registrationId });
  }
  return found;
}

/** By Space: its course, and when its sessions were. */
type SeenSpaces = Map<
  string,
  { course: KnownCourse; environment: AccountId; spaceId: string; sessions: Map<string, SeenSession> }
>;

async function readPresence(
  app: UsageApp,
  gathered: Gathered,
  { from, before }: { from: number; before: number },
): Promise<SeenSpaces> {
  const now = app.clock.now();
  const coursesOf = new Map<string, readonly KnownCourse[]>();
  const spaces: SeenSpaces = new Map();
  // People who stayed past midnight were last heard of on the next day.
  const end = Math.min(before + dayMs, now + 1);
  // Jumps from one record to the next, because most of a week is empty.
  const next = (after: number) => app.presences.firstHeardAt(after, end);
  for (let at = await next(from); at !== null; at = await next(at + sliceMs)) {
    const records = await app.presences.listHeard(at, at + sliceMs);
    const persons = await personsOf(app, records);
    for (const [n, record] of records.entries()) {
      if (n % batchSize === 0) await letOthersRun();
      const key = keyOf(record.environment, record.spaceId);
      const courses =
        coursesOf.get(key) ?? (await app.courses.findBySpace(record.environment, record.spaceId));
      coursesOf.set(key, courses);
      noteStays(gathered, spaces, record, { courses, persons, now, from, before });
    }
  }
  return spaces;
}

/** Persons by account and user, and by their LMS. */
type Persons = ReadonlyMap<string, ReadonlyMap<string, string>>;

function noteStays(
  gathered: Gathered,
  spaces: SeenSpaces,
  { environment, spaceId, sessionId, userId, signs, endedAt, lastAt }: PresenceRecord,
  given: { courses: readonly KnownCourse[]; persons: Persons; now: number; from: number; before: number },
): void {
  const known = given.persons.get(keyOf(environment, userId)) ?? new Map<string, string>();
  const courses = given.courses.toSorted((one, other) => compareText(one.id, other.id));
  const course = courses.find(({ registrationId }) => known.has(registrationId)) ?? courses[0];
  if (course === undefined) return;
  const person = known.get(course.registrationId) ?? `user ${userId}`;
  const key = keyOf(environment, spaceId);
  const space = spaces.get(key) ?? { course, environment, spaceId, sessions: new Map<string, SeenSession>() };
  for (const stay of presenceOf(signs, { sessionEndedAt: endedAt, heardAt: lastAt, now: given.now }).stays) {
    for (const { day, ms } of byDay(stay)) {
      if (day < given.from || day >= given.before) continue;
      const entry = gathered.of(course.registrationId, environment, day);
      entry.ms += ms;
      entry.people.add(person);
      entry.courses.add(course.id);
    }
    const session = sessionId === "" ? `day ${dayOf(stay.from)}` : sessionId;
    const before = space.sessions.get(session) ?? stay;
    space.sessions.set(session, { from: Math.min(before.from, stay.from), to: Math.max(before.to, stay.to) });
    spaces.set(key, space);
  }
}

async function personsOf({ people }: UsageApp, records: readonly PresenceRecord[]): Promise<Persons> {
  const found = new Map<string, Map<string, string>>();
  for (const [environment, some] of Map.groupBy(records, (record) => record.environment)) {
    const users = [...new Set(some.map(({ userId }) => userId))];
    for (const batch of slicesOf(users, batchSize)) {
      await letOthersRun();
      for (const { userId, person } of await people.listByApiUsers(environment, batch)) {
        const key = keyOf(environment, userId);
        found.set(key, (found.get(key) ?? new Map<string, string>()).set(person.registrationId, person.id));
      }
    }
  }
  return found;
}
