import type { AttendanceRecord } from "../attendance/store/attendance-stores.ts";
import type { Excuse } from "../attendance/rules/records.ts";
import type { App } from "../../app.ts";
import { isGraded } from "../attendance/rules/attendance-summary.ts";
import type { AttendanceFacts } from "../../domain/attendance.ts";
import { excusedFacts, joinedFacts } from "../../domain/counting-facts.ts";
import { type Course, keyOfCourse, type Member } from "../../domain/course.ts";
import { byKey } from "../../kernel/lists.ts";
import { memberSlices } from "../members/sections.ts";
import type { MemberKey } from "../members/store/member-store.ts";
import { isForMember, listSessions } from "../scheduling/list-sessions.ts";
import { type CourseSession, isBeforeTheirs } from "../scheduling/rules/course-session.ts";
import { isWithin } from "../scheduling/rules/time-zone.ts";

/** What it takes to read attendance as it counts: records, joined accounts and excuses. */
export type CountingApp = Pick<
  App,
  "attendance" | "courses" | "events" | "excuses" | "members" | "sessionPlans"
>;

type CourseRef = Pick<Course, "id" | "registrationId">;
type Joins = ReadonlyMap<string, string>;
type ExcusedSession = Pick<CourseSession, "eventId" | "startsAt" | "cancelled" | "sectionIds">;

/** Accounts joined to another account of the course, with the account that counts. */
export async function joinsIn({ members }: Pick<App, "members">, key: MemberKey): Promise<Joins> {
  const joined = await members.listJoined(key);
  return new Map(
    joined.flatMap(({ personId, joinedTo }) => (joinedTo == null ? [] : [[personId, joinedTo]])),
  );
}

/** Records of some people as they count: merged with those of accounts joined to theirs, and with an office's excuses. */
export async function factsOfPeople(
  app: CountingApp,
  course: CourseRef,
  personIds: readonly string[],
): Promise<AttendanceRecord[]> {
  const { registrationId, id: courseId } = course;
  const joins = await joinsIn(app, keyOfCourse(course));
  const counting = new Set(personIds.filter((id) => !joins.has(id)));
  const earlier = [...joins].flatMap(([from, to]) => (counting.has(to) ? [from] : []));
  const all = [...counting, ...earlier];
  const [records, excuses] = await Promise.all([
    app.attendance.listOfPeople(registrationId, courseId, all),
    app.excuses.listOfPeople(registrationId, all),
  ]);
  const excusedIn = excuses.length === 0 ? null : await app.courses.find(courseId);
  const sessions = excusedIn === null ? [] : await listSessions(app, excusedIn);
  return withExcuses(app, course, mergedRecords(records, joins), { excuses, joins, sessions });
}

/** Records of some sessions, as they count. */
export async function factsOfEvents(
  app: CountingApp,
  course: CourseRef,
  sessions: readonly ExcusedSession[],
): Promise<AttendanceRecord[]> {
  const { registrationId, id: courseId } = course;
  const eventIds = sessions.map(({ eventId }) => eventId);
  const [joins, records, excuses] = await Promise.all([
    joinsIn(app, keyOfCourse(course)),
    app.attendance.listOfEvents(registrationId, courseId, eventIds),
    excusesIn(app, keyOfCourse(course)),
  ]);
  return withExcuses(app, course, mergedRecords(records, joins), { excuses, joins, sessions });
}

/**
 * Members with joined accounts or excuses. Their attendance depends on more than their own records, so a new session can change it. People
 * who have left stay excused, as their grade stays.
 */
export async function peopleWithJoinsOrExcuses(
  app: Pick<App, "excuses" | "members">,
  course: CourseRef,
): Promise<string[]> {
  const key = keyOfCourse(course);
  const joined = [...(await joinsIn(app, key))].flat();
  const excused = (await excusesIn(app, key, "present")).map(({ personId }) => personId);
  return [...new Set([...joined, ...excused])];
}

/** Excuses of a course's members, because an LMS may have tens of thousands. */
async function excusesIn(
  app: Pick<App, "excuses" | "members">,
  key: MemberKey,
  who: "all" | "present" = "all",
): Promise<Excuse[]> {
  const { registrationId } = key;
  const found: Excuse[] = [];
  // Mostly there are none.
  if (!(await app.excuses.hasAny(registrationId))) return found;
  for await (const members of memberSlices(app, key)) {
    const ids = members.flatMap(({ personId, active }) => (active || who === "all" ? [personId] : []));
    found.push(...(await app.excuses.listOfPeople(registrationId, ids)));
  }
  return found;
}

const nothing: AttendanceFacts = { history: [], corrections: [] };

/** One record for each session and person. Its revision is that of the account that counts now; 0 if it has none. */
function mergedRecords(records: readonly AttendanceRecord[], joins: Joins): AttendanceRecord[] {
  if (joins.size === 0) return [...records];
  const byPerson = Map.groupBy(records, ({ eventId, personId }) =>
    keyOf(eventId, joins.get(personId) ?? personId),
  );
  return [...byPerson.values()].flatMap((some) => {
    const own = some.find(({ personId }) => !joins.has(personId));
    const [first] = some;
    if (first === undefined || some.every((one) => one === own)) return some;
    const personId = joins.get(first.personId) ?? first.personId;
    const { seen: _seen, ...key } = own ?? { ...first, personId, revision: 0 };
    return [{ ...key, ...joinedFacts([own ?? nothing, ...some.filter((one) => one !== own)]) }];
  });
}

async function withExcuses(
  app: CountingApp,
  course: CourseRef,
  records: AttendanceRecord[],
  known: { excuses: readonly Excuse[]; joins: Joins; sessions: readonly ExcusedSession[] },
): Promise<AttendanceRecord[]> {
  const { excuses, joins, sessions } = known;
  if (excuses.length === 0) return records;
  const key = keyOfCourse(course);
  const timeZone = (await app.courses.find(course.id))?.timeZone ?? null;
  const nowOf = (personId: string) => joins.get(personId) ?? personId;
  const ids = new Set(excuses.map(({ personId }) => nowOf(personId)));
  const members = byKey(await app.members.findMany(key, [...ids]), ({ personId }) => personId);
  const found = byKey(records, ({ eventId, personId }) => keyOf(eventId, personId));
  for (const excuse of excuses) {
    const member = members.get(nowOf(excuse.personId));
    if (member === undefined || !isGraded(member)) continue;
    const { personId, sectionIds } = member;
    for (const session of sessions.filter(({ startsAt }) => isWithin(excuse, startsAt, timeZone))) {
      const { eventId } = session;
      const at = keyOf(eventId, personId);
      const blank = { ...key, eventId, personId, sectionIds, revision: 0, ...nothing };
      const record = found.get(at) ?? (isExpected(session, member) ? blank : null);
      if (record !== null) found.set(at, { ...record, ...excusedFacts(record, excuse) });
    }
  }
  return [...found.values()];
}

/** Whether a member without a record should attend the session. */
function isExpected(session: ExcusedSession, member: Member): boolean {
  if (session.cancelled || !member.active) return false;
  // An instructor may learn, too, in their own sections.
  return isForMember(session, { ...member, role: "learner" }) && !isBeforeTheirs(session, member);
}

function keyOf(eventId: string, personId: string): string {
  return JSON.stringify([eventId, personId]);
}
