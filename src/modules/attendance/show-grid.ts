import type { ShowAttendanceApp } from "./show-attendance.ts";
import type { App } from "../../app.ts";
import { asKnownStatus, type KnownStatus, wholePercent } from "../../domain/attendance.ts";
import { type Course, keyOfCourse, type Member } from "../../domain/course.ts";
import { fullName } from "../../domain/person.ts";
import { byId, byKey, slicesOf } from "../../kernel/lists.ts";
import { attendanceColumn } from "../grading/rules/column.ts";
import { listSessions } from "../scheduling/list-sessions.ts";
import type { CourseSession } from "../scheduling/rules/course-session.ts";
import { allDays, type DayRange, isBounded, isWithin } from "../scheduling/rules/time-zone.ts";
import { limitLabelsOf } from "./limits.ts";
import {
  type GridColumn,
  gridColumns,
  type GridFilter,
  gridLearners,
  type GridLine,
  gridLines,
  tallyLines,
  wholeGrid,
} from "./grid-learners.ts";
import type { GridCell, Tally } from "./rules/attendance-summary.ts";

export type GridRow = Awaited<ReturnType<typeof namedRows>>[number];

export type Grid = Awaited<ReturnType<typeof showGrid>>;

const sessionPageSize = 30;

/**
 * Reads one small record for each learner. Reads courses of up to a thousand learners completely, larger ones only with a filter. Former
 * members with facts are listed. @param days Limits the sessions that are shown and counted.
 */
export async function showGrid(
  app: ShowAttendanceApp & Pick<App, "sections">,
  course: Course,
  requested: GridFilter,
  days: DayRange = allDays,
) {
  const key = keyOfCourse(course);
  const [sessions, sections] = await Promise.all([
    listSessions(app, course),
    app.sections.listOf(course.registrationId, course.id),
  ]);
  const known = sections.some(({ lmsSectionId }) => lmsSectionId === requested.sectionId);
  const understood = { ...requested, sectionId: known ? requested.sectionId : null };
  // Stored sums cover all sessions.
  const allCount = !isBounded(days) && sessions.every(({ counts }) => counts);
  const learners = await gridLearners(app, key, understood, { allCount });
  const columns = columnsWithin(gridColumns(sessions, learners.summaries, app.clock.now()), course, days);
  const all = await gridLines(columns, learners);
  // For a part of a large course, everybody is listed, with or without facts.
  const fitting = learners.whole ? all.filter((line) => fitsGrid(line, understood)) : all;
  if (understood.order === "rate") fitting.sort(inGridOrder);
  const listed = learners.whole ? fitting.length : learners.total;
  const pages = Math.max(1, Math.ceil(listed / understood.perPage));
  const page = Math.min(understood.page, pages);
  const ofPage = learners.whole
    ? fitting.slice((page - 1) * understood.perPage, page * understood.perPage)
    : fitting;
  const back = Math.min(understood.back, Math.max(0, columns.length - 1));
  const to = columns.length - back;
  const visible = columns.slice(Math.max(0, to - sessionPageSize), to);
  return {
    /** The sessions shown, earliest first, with tallies of the counted learners. */
    sessions: tallyLines(visible, fitting),
    sessionsTotal: columns.length,
    rows: await namedRows(app, key, ofPage, visible),
    /** From all sessions, whatever days are listed. */
    limits: await limitLabelsOf(
      app,
      course,
      sessions,
      ofPage.map(({ member }) => member.personId),
    ),
    pages,
    /** How many learners match, on all pages. */
    listed,
    /** How many learners are below `filter.percent`; null in a large course without a filter. */
    low: learners.whole ? fitting.filter(({ rate }) => isLow(rate, understood.percent)).length : null,
    /** Whether tallies cover all matching learners. In a large course without a filter, they cover the page. */
    countsEverybody: learners.whole,
    sections,
    /** Drops a section or page that doesn't exist. */
    filter: { ...understood, page, back },
  };
}

/** Everybody's statuses in each session, by its id. Empty for a course that is too large to be read completely. */
export async function talliesOfSessions(
  app: ShowAttendanceApp,
  course: Course,
  sessions: readonly CourseSession[],
): Promise<Map<string, Tally>> {
  const learners = await gridLearners(app, keyOfCourse(course), wholeGrid, { allCount: false });
  if (!learners.whole) return new Map();
  const columns = gridColumns(sessions, learners.summaries, app.clock.now());
  const tallied = tallyLines(columns, await gridLines(columns, learners));
  return new Map(tallied.map(({ session, tally }) => [session.eventId, tally]));
}

/** All matching lines with all sessions, the earliest first, for files. */
export async function* everyGridRow(
  app: ShowAttendanceApp,
  course: Course,
  requested: GridFilter,
  days: DayRange,
): AsyncGenerator<{ sessions: readonly CourseSession[]; rows: GridRow[] }> {
  const key = keyOfCourse(course);
  const sessions = await listSessions(app, course);
  const learners = await gridLearners(app, key, requested, { allCount: false, everybody: true });
  const columns = columnsWithin(gridColumns(sessions, learners.summaries, app.clock.now()), course, days);
  const fitting = (await gridLines(columns, learners)).filter((line) => fitsGrid(line, requested));
  if (requested.order === "rate") fitting.sort(inGridOrder);
  const listed = columns.map(({ session }) => session);
  // A table without learners still has a head.
  const slices = fitting.length === 0 ? [[]] : slicesOf(fitting, 250);
  for (const batch of slices) yield { sessions: listed, rows: await namedRows(app, key, batch, columns) };
}

function columnsWithin(
  columns: readonly GridColumn[],
  { timeZone }: Pick<Course, "timeZone">,
  days: DayRange,
): GridColumn[] {
  return columns
    .filter(({ session }) => isWithin(days, session.startsAt, timeZone))
    .map(({ session }, at) => ({ session, at }));
}

async function namedRows(
  app: Pick<ShowAttendanceApp, "people" | "deliveries">,
  key: { registrationId: string; courseId: string },
  lines: readonly GridLine[],
  visible: readonly GridColumn[],
) {
  const ids = lines.map(({ member }: { member: Member }) => member.personId);
  const [people, deliveries] = await Promise.all([
    app.people.findMany(ids),
    app.deliveries.listOfPeople({ ...key, columnKey: attendanceColumn }, ids),
  ]);
  const personOf = byId(people);
  const delivered = byKey(deliveries, ({ personId }) => personId);
  return lines.map(({ member, cells, tally, rate }) => {
    const person = personOf.get(member.personId);
    return {
      personId: member.personId,
      sub: person?.sub ?? "",
      name: person === undefined ? null : fullName(person),
      email: person?.email ?? null,
      idNumber: person?.idNumber ?? null,
      active: member.active,
      sectionIds: member.sectionIds,
      cells: visible.flatMap(({ at }) => cells[at] ?? []),
      /** Counts all sessions that count, listed or not. */
      tally,
      rate,
      /** The score for all sessions together. */
      delivery: delivered.get(member.personId) ?? null,
    };
  });
}

function fitsGrid({ member, cells, tally, rate, seen }: GridLine, { only, percent, times }: GridFilter) {
  if (!member.active && !seen.facts) return false;
  switch (only) {
    case null:
      return true;
    case "low":
      return isLow(rate, percent);
    case "present":
      return isSomewhere(cells, "PRESENT");
    case "late":
      return isSomewhere(cells, "LATE");
    case "absent":
      return tally.ABSENT >= times;
    case "excused":
      return isSomewhere(cells, "EXCUSED");
    case "blank":
      return seen.blank;
    case "unknown":
      return seen.unknown;
    case "conflict":
      return seen.conflict;
  }
}

function isSomewhere(cells: readonly GridCell[], status: KnownStatus): boolean {
  return cells.some((cell) => cell.kind === "status" && asKnownStatus(cell.status) === status);
}

/** Compares the rounded percentage: 79.6 % is 80 %, which isn't below 80 %. */
function isLow(rate: number | null, percent: number): boolean {
  return rate !== null && wholePercent(rate) < percent;
}

/** The lowest rate first, equal ones in list order; those without a rate last. */
function inGridOrder(one: GridLine, other: GridLine): number {
  return (one.rate ?? 2) - (other.rate ?? 2);
}
