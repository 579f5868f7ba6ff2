import type { App } from "../../app.ts";
import { type Course, keyOfCourse, type Member } from "../../domain/course.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { byId, byKey, slicesOf } from "../../kernel/lists.ts";
import { dayMs } from "../../kernel/clock.ts";
import { type CountingApp, factsOfPeople } from "../grading/counting-facts.ts";
import { everyMember } from "../members/people.ts";
import { searchKey } from "../members/rules/names.ts";
import { listSessions } from "../scheduling/list-sessions.ts";
import type { CourseSession } from "../scheduling/rules/course-session.ts";
import { type DayRange, isWithin } from "../scheduling/rules/time-zone.ts";
import { attendanceDays } from "./rules/attendance-days.ts";
import { isGraded } from "./rules/attendance-summary.ts";

export type OfficeReportApp = CountingApp & Pick<App, "clock" | "people">;

/** Selects courses that have a session on one of the days. */
export type CoursesFilter = {
  /** Null for every LMS. */
  registrationId: string | null;
  /** A course's id, or the beginning of its title or code; "" for all. */
  course: string;
  days: { from: string; to: string };
};

/** Learners of one course in list order, former ones last. `sessions` are all sessions of the course, by id. */
export type LearnersOfCourse = {
  course: Course;
  sessions: ReadonlyMap<string, CourseSession>;
  members: readonly Member[];
};

/** How many learners' records are read together; each learner may have a hundred sessions. */
const learnersPerRead = 100;
const rowsPerPage = 100;
/** How many learners are examined for one page at most, if few of them match. */
const learnersPerPage = 2_000;
const coursesPerRead = 100;

/**
 * A page of rows about learners of many courses. Holds at most as many courses in memory as one read returns.
 * @param cursor Where the previous page ended; null for the first. @param rowsOf Gets at most a hundred learners.
 * @returns `courses`: how many courses were examined.
 */
export async function pageOfLearners<Row>(
  app: OfficeReportApp,
  filter: CoursesFilter,
  cursor: string | null,
  rowsOf: (some: LearnersOfCourse) => Promise<readonly Row[]>,
) {
  const rows: Row[] = [];
  const [afterCourse = "", afterPerson = ""] = cursor?.split("~") ?? [];
  let [courses, learners] = [0, 0];
  for await (const course of coursesFrom(app, filter, afterCourse)) {
    courses += 1;
    const sessions = byKey(await listSessions(app, course), ({ eventId }) => eventId);
    const all = (await everyMember(app, keyOfCourse(course))).filter(isGraded);
    // If the learner at the cursor was erased, the course starts again, because a repeated line is better than a missing one.
    const from =
      course.id === afterCourse ? all.findIndex(({ personId }) => personId === afterPerson) + 1 : 0;
    for (const members of slicesOf(all.slice(from), learnersPerRead)) {
      rows.push(...(await rowsOf({ course, sessions, members })));
      learners += members.length;
      await letOthersRun();
      const next = `${course.id}~${members.at(-1)?.personId ?? ""}`;
      if (rows.length >= rowsPerPage || learners >= learnersPerPage) return { rows, next, courses };
    }
  }
  return { rows, next: null, courses };
}

/** In order of ids, so a new course doesn't move a page. */
async function* coursesFrom(
  app: OfficeReportApp,
  { registrationId, course: typed, days }: CoursesFilter,
  first: string,
): AsyncGenerator<Course> {
  // Days are in each course's time zone, so they begin up to half a day earlier or later.
  const [from, to] = [Date.parse(days.from) - dayMs, Date.parse(days.to) + 2 * dayMs];
  const ids = (await app.events.coursesBetween(from, to)).filter((id) => id >= first).sort();
  for (const batch of slicesOf(ids, coursesPerRead)) {
    const found = byId((await app.courses.listMany(batch)).map(({ course }) => course));
    for (const id of batch) {
      const course = found.get(id);
      if (course === undefined || !isAsked(course, registrationId, typed)) continue;
      const events = await app.events.listBetween(id, from, to);
      const hasSession = events.some(
        ({ startsAt, cancelled }) => !cancelled && isWithin(days, startsAt, course.timeZone),
      );
      if (hasSession) yield course;
    }
  }
}

function isAsked({ id, registrationId, title, label }: Course, of: string | null, typed: string): boolean {
  if (of !== null && registrationId !== of) return false;
  const key = searchKey(typed);
  return typed === "" || id === typed || [title, label].some((name) => searchKey(name).startsWith(key));
}

export type LastAttendanceRow = Awaited<ReturnType<typeof lastAttendanceOf>>[number];

/** "never": only learners who attended nothing on these days. */
export type LastAttendanceFilter = CoursesFilter & { only: "never" | null };

/** The first and last day of attendance of each learner in an institution's courses, within some days. */
export function pageOfLastAttendance(
  app: OfficeReportApp,
  filter: LastAttendanceFilter,
  cursor: string | null,
) {
  return pageOfLearners(app, filter, cursor, async (some) => {
    const rows = await lastAttendanceOf(app, some, filter.days);
    return filter.only === "never" ? rows.filter(({ days }) => days.attended === 0) : rows;
  });
}

async function lastAttendanceOf(app: OfficeReportApp, learners: LearnersOfCourse, days: DayRange) {
  const { course, members } = learners;
  const ids = members.map(({ personId }) => personId);
  const [people, daysOf] = await Promise.all([
    app.people.findMany(ids),
    attendanceDaysOf(app, course, ids, { days, sessions: learners.sessions }),
  ]);
  const personOf = byId(people);
  return members.flatMap(({ personId, active, lastLaunchAt }) => {
    const [person, found] = [personOf.get(personId), daysOf.get(personId)];
    if (person === undefined || found === undefined) return [];
    return [{ course, person, active, hasOpened: lastLaunchAt !== null, days: found }];
  });
}

/** Days of attendance by person id. @param personIds At most a few hundred. */
export async function attendanceDaysOf(
  app: CountingApp & Pick<App, "clock">,
  course: Course,
  personIds: readonly string[],
  of: { days: DayRange; sessions: ReadonlyMap<string, CourseSession> },
) {
  const records = await factsOfPeople(app, course, personIds);
  const recordsOf = Map.groupBy(records, ({ personId }) => personId);
  const options = { ...of, timeZone: course.timeZone, now: app.clock.now() };
  return new Map(personIds.map((id) => [id, attendanceDays(recordsOf.get(id) ?? [], options)]));
}
