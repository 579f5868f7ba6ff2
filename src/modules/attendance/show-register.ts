import { weekMs } from "../../kernel/clock.ts";
import type { AttendanceRecord } from "./store/attendance-stores.ts";
import type { ShowAttendanceApp } from "./show-attendance.ts";
import type { App } from "../../app.ts";
import { asKnownStatus, authorsIn, currentAttendanceOf, type KnownStatus } from "../../domain/attendance.ts";
import { type Course, keyOfCourse } from "../../domain/course.ts";
import { fullName, namesOf } from "../../domain/person.ts";
import { byId, byKey, onPage } from "../../kernel/lists.ts";
import { everyMember } from "../members/people.ts";
import { type CountingApp, factsOfEvents, joinsIn } from "../grading/counting-facts.ts";
import { isOfEarlierTerm, listSessions } from "../scheduling/list-sessions.ts";
import { type CourseSession, isBeforeTheirs, unknownSession } from "../scheduling/rules/course-session.ts";
import type { CourseTimetable } from "../scheduling/show-sessions.ts";
import type { MemberKey } from "../members/store/member-store.ts";
import type { LearnerWord } from "./rules/records.ts";
import { limitLabelsOf } from "./limits.ts";
import { everybodyLeftAt, isInClass, registerRow, type RegisterRow } from "./rules/register.ts";

export type RegisterFilter = {
  sectionId: string | null;
  /** "blank": without facts · "conflict": see `currentAttendanceOf`. */
  status: KnownStatus | "blank" | "unknown" | "conflict" | null;
  page: number;
};

export type NamedRow = RegisterRow & {
  sub: string;
  name: string | null;
  /** The learner's message about the session. */
  word: LearnerWord | null;
};

type RegisterCounts = Record<KnownStatus | "blank" | "unknown" | "conflict", number>;

export type Register = NonNullable<Awaited<ReturnType<typeof showRegister>>>;

/** Lines on a page; enough for a lecture. */
const registerPageSize = 300;

/**
 * A session's learners, those without a record first, then in list order, and everybody with a fact, including former members.
 * @param also Person ids to list even if they don't match. @returns null if the course has no such session.
 */
export async function showRegister(
  app: ShowAttendanceApp & Pick<App, "learnerWords" | "sections">,
  course: Course,
  eventId: string,
  requested: RegisterFilter,
  also: ReadonlySet<string> = new Set(),
) {
  const key = keyOfCourse(course);
  const sessions = await listSessions(app, course);
  const listed = sessions.find((one) => one.eventId === eventId);
  const session = listed ?? unknownSession(eventId);
  const records = await factsOfEvents(app, course, [session]);
  if (listed === undefined && records.length === 0) return null;
  const sections = await app.sections.listOf(course.registrationId, course.id);
  const sectionId = sections.some((one) => one.lmsSectionId === requested.sectionId)
    ? requested.sectionId
    : null;
  const everybody = await everyRow(app, key, session, records);
  const ofSection = everybody.filter((row) => sectionId === null || row.sectionIds.includes(sectionId));
  const inOrder = ofSection.filter((row) => fits(row, requested.status));
  const fitting = [
    ...inOrder.filter(({ current }) => current === null),
    ...inOrder.filter(({ current }) => current !== null),
  ];
  const { rows, page, pages } = onPage(fitting, Math.max(1, requested.page), registerPageSize);
  const listedIds = new Set(rows.map(({ personId }) => personId));
  const besides = everybody.filter(({ personId }) => also.has(personId) && !listedIds.has(personId));
  const inClass = ofSection.filter((row) => isInClass(row, sectionId));
  return {
    session,
    /** The sessions before and after in time, without cancelled ones. */
    neighbours: neighboursOf(sessions, session),
    sections,
    /** Drops a section or page that doesn't exist. */
    filter: { sectionId, status: requested.status, page },
    pages,
    listed: fitting.length,
    counts: countsOf(ofSection),
    /** How many people have a mark, in any section. */
    marks: everybody.filter(({ current }) => current !== null).length,
    leftAt: everybodyLeftAt(session, records, course.policy),
    /** How many learners a mark for the class covers. */
    inClass: { all: inClass.length, blank: inClass.filter(({ current }) => current === null).length },
    ...(await named(app, [...besides, ...rows], await wordsAbout(app, key, eventId))),
    limits: await limitLabelsOf(
      app,
      course,
      sessions,
      rows.map(({ personId }) => personId),
    ),
  };
}

/** Messages by the person whose mark counts. */
async function wordsAbout(app: Pick<App, "learnerWords" | "members">, key: MemberKey, eventId: string) {
  const words = await app.learnerWords.listOfEvent(key, eventId);
  const joins = words.length === 0 ? new Map<string, string>() : await joinsIn(app, key);
  return byKey(words, ({ personId }) => joins.get(personId) ?? personId);
}

/** @param latestFirst As from `listSessions`. */
function neighboursOf(latestFirst: readonly CourseSession[], { eventId }: CourseSession) {
  const listed = latestFirst.filter(
    (one) => one.eventId === eventId || (!one.cancelled && one.startsAt !== null),
  );
  const at = listed.findIndex((one) => one.eventId === eventId);
  if (at < 0) return { before: null, after: null };
  return { before: listed[at + 1] ?? null, after: at === 0 ? null : (listed[at - 1] ?? null) };
}

/** Members in list order, then people with facts who were never members. */
async function everyRow(
  app: ShowAttendanceApp,
  key: { registrationId: string; courseId: string },
  session: CourseSession,
  facts: readonly AttendanceRecord[],
): Promise<RegisterRow[]> {
  const records = byKey(facts, ({ personId }) => personId);
  const members = await everyMember(app, key);
  const listed = members.flatMap((member) => {
    const record = records.get(member.personId) ?? null;
    records.delete(member.personId);
    return registerRow(session, member, record) ?? [];
  });
  return [...listed, ...[...records.values()].flatMap((record) => registerRow(session, null, record) ?? [])];
}

function fits({ current }: RegisterRow, status: RegisterFilter["status"]): boolean {
  if (status === null) return true;
  if (status === "blank") return current === null;
  if (current === null) return false;
  if (status === "conflict") return current.conflicting !== null;
  return status === "unknown" ? asKnownStatus(current.status) === null : current.status === status;
}

function countsOf(rows: readonly RegisterRow[]): RegisterCounts {
  const count = (status: RegisterFilter["status"]) => rows.filter((row) => fits(row, status)).length;
  return {
    PRESENT: count("PRESENT"),
    LATE: count("LATE"),
    ABSENT: count("ABSENT"),
    EXCUSED: count("EXCUSED"),
    blank: count("blank"),
    unknown: count("unknown"),
    conflict: count("conflict"),
  };
}

async function named(
  app: ShowAttendanceApp,
  rows: readonly RegisterRow[],
  words: ReadonlyMap<string, LearnerWord>,
): Promise<{ rows: NamedRow[]; names: ReadonlyMap<string, string> }> {
  const authors = authorsIn(rows.map(({ facts }) => facts));
  const ids = [...new Set([...rows.map(({ personId }) => personId), ...authors])];
  const people = byId(await app.people.findMany(ids));
  return {
    rows: rows.map((row) => {
      const person = people.get(row.personId);
      const name = person === undefined ? null : fullName(person);
      return { ...row, sub: person?.sub ?? "", name, word: words.get(row.personId) ?? null };
    }),
    names: namesOf(authors.flatMap((id) => people.get(id) ?? [])),
  };
}

/** Older sessions are only in the register's own list. */
const maxSessions = 3;
/** How long after its end we ask about a session (ms). */
const maxAgeMs = 2 * weekMs;

/** The latest past sessions with learners who aren't recorded; latest first. Costs a few reads for all of them. */
export async function listOpenRegisters(
  app: CountingApp & Pick<App, "clock">,
  course: Pick<Course, "id" | "registrationId" | "countsFrom">,
  { past }: Pick<CourseTimetable, "past">,
) {
  const since = app.clock.now() - maxAgeMs;
  const asked = past
    .filter((session) => session.state === "there" && session.counts && !isOfEarlierTerm(course, session))
    .filter(({ startsAt }) => (startsAt ?? 0) >= since)
    .slice(0, maxSessions);
  const sessions = asked.flatMap(({ eventId, ...session }) =>
    eventId === null ? [] : [{ ...session, eventId, cancelled: false }],
  );
  if (sessions.length === 0) return [];
  const key = keyOfCourse(course);
  const facts = await factsOfEvents(app, course, sessions);
  const people = await app.members.findMany(key, [...new Set(facts.map(({ personId }) => personId))]);
  const registers = sessions.map(async (session) => {
    const { eventId, title, startsAt, sectionIds } = session;
    const expected = await app.members.countLearners(key, sectionIds, startsAt);
    const own = byKey(
      facts.filter((record) => record.eventId === eventId),
      ({ personId }) => personId,
    );
    const recorded = people.filter((member) => {
      const record = own.get(member.personId) ?? null;
      const row = record === null ? null : registerRow(session, member, record);
      return row?.current != null && isInClass(row, null) && !isBeforeTheirs(session, member);
    }).length;
    return { eventId, title, startsAt, expected, recorded };
  });
  return (await Promise.all(registers)).filter(({ recorded, expected }) => recorded < expected);
}

/** A session that was cancelled or deleted after somebody was marked in it. */
type EndedSession = { eventId: string; title: string | null; startsAt: number | null; marks: number };

/** Those whose marks count until an instructor says whether they should; latest first. Empty without grades, where they don't count. */
export async function listEndedWithMarks(
  { attendance }: Pick<App, "attendance">,
  course: Pick<Course, "id" | "registrationId" | "policy" | "countsFrom">,
  { next, past }: Pick<CourseTimetable, "next" | "past">,
): Promise<EndedSession[]> {
  if (course.policy.kind === "no-grades") return [];
  const { registrationId, id: courseId } = course;
  const ended = [...next.toReversed(), ...past].flatMap((session) => {
    const { eventId, state, counts, keepsMarks, title, startsAt } = session;
    if (eventId === null || state !== "cancelled" || !counts || keepsMarks) return [];
    return isOfEarlierTerm(course, session) ? [] : [{ eventId, title, startsAt }];
  });
  if (ended.length === 0) return [];
  const eventIds = ended.map(({ eventId }) => eventId);
  const known = new Set(await attendance.knownEvents({ registrationId, courseId }, eventIds));
  const counted = ended
    .filter(({ eventId }) => known.has(eventId))
    .map(async (session) => {
      const records = await attendance.listOfEvent(registrationId, courseId, session.eventId);
      const marks = records.filter((record) => currentAttendanceOf(record) !== null).length;
      return { ...session, marks };
    });
  return (await Promise.all(counted)).filter(({ marks }) => marks > 0);
}
