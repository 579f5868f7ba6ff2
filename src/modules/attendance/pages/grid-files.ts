import { type AttendancePagesApp, barKinds } from "./session-view.ts";
import type { App } from "../../../app.ts";
import { listedName, personName } from "../../../domain/person.ts";
import { byKey } from "../../../kernel/lists.ts";
import { type GridFilter, isNarrowed } from "../grid-learners.ts";
import { attendanceDaysOf } from "../learners-of-courses.ts";
import type { AttendanceDays, AttendedDay } from "../rules/attendance-days.ts";
import { emptyTally, type Tally } from "../rules/attendance-summary.ts";
import { everyGridRow, type Grid, type GridRow, showGrid } from "../show-grid.ts";
import { policyWords } from "../../grading/pages/grading-words.ts";
import type { CourseSession } from "../../scheduling/rules/course-session.ts";
import { listSessions } from "../../scheduling/list-sessions.ts";
import type { DayRange } from "../../scheduling/rules/time-zone.ts";
import type { Answer } from "../../../web/answer.ts";
import { dayText } from "../../../web/course-times.ts";
import {
  courseNameOf,
  type CourseWords,
  type PageOf,
  pageWords,
  sectionLabel,
  sectionsText,
} from "../../../web/course-words.ts";
import { statusView } from "../../../web/page-text.ts";
import type { PageContext } from "../../../web/declared-page.ts";
import { type TableCell, tableFile, type TableForm, type TableRows } from "../../../web/table-file.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { countedTally, legendView } from "./grid-page.ts";
import {
  type CellFace,
  columnsView,
  countsText,
  createFaces,
  glanceWords,
  type GridWords,
  gridWords,
  linesView,
} from "./grid-view.ts";

export type RequestedGrid = { filter: GridFilter; days: DayRange };

/** All sessions of the days, for the learners that match. */
export async function gridFile(
  app: AttendancePagesApp,
  visit: InstructorVisit,
  requested: RequestedGrid,
  form: TableForm,
): Promise<Answer> {
  const { course } = visit;
  const words = gridWords(await pageWords(app, visit, app.clock.now()));
  const { t } = words;
  const about = await exportWords(app, visit, words, { ...requested.filter, days: requested.days });
  const sum: Sum = { listed: 0, sessions: 0, tally: emptyTally() };
  return tableFile(app, t, course, form, {
    name: t("grid.files.name"),
    rows: gridRows(app, visit, words, { ...requested, sum }),
    moments: [],
    closing: () => [
      glanceWords(words, { ...sum, narrowed: isNarrowed(requested.filter) }),
      countsText(words, sum.tally),
      t("grid.legend.rate"),
      ...policyWords(t, course.policy),
      ...about,
    ],
  });
}

type Sum = { listed: number; sessions: number; tally: Tally };

async function* gridRows(
  app: AttendancePagesApp,
  { course }: InstructorVisit,
  words: GridWords,
  { filter, days, sum }: RequestedGrid & { sum: Sum },
): TableRows {
  let first = true;
  const known = byKey(await listSessions(app, course), ({ eventId }) => eventId);
  for await (const { sessions, rows } of everyGridRow(app, course, filter, days)) {
    sum.sessions = sessions.length;
    sum.listed += rows.length;
    for (const { tally } of rows) for (const kind of barKinds) sum.tally[kind] += tally[kind];
    const head = first ? [headCells(words, sessions)] : [];
    first = false;
    const ids = rows.map(({ personId }) => personId);
    const attended = await attendanceDaysOf(app, course, ids, { days, sessions: known });
    yield [
      ...head,
      ...rows.map((row) => [...rowCells(words, row), ...dayCells(words, attended.get(row.personId))]),
    ];
  }
}

function headCells(words: GridWords, sessions: readonly CourseSession[]): TableCell[] {
  const { t } = words;
  return [
    ...(["learner", "lmsId", "inCourse", "sections"] as const).map((name) =>
      t(`grades.files.columns.${name}`),
    ),
    ...sessions.map((session) => sessionHead(words, session)),
    ...(["present", "late", "absent", "excused", "unknown"] as const).map((name) =>
      t(`grades.files.columns.${name}`),
    ),
    t("grid.files.rate"),
    ...(["first", "firstBy", "last", "lastBy"] as const).map((name) => t(`days.${name}`)),
  ];
}

/** The head of a column. An imported table of marks is recognised by it. */
export function sessionHead({ t, times }: Pick<GridWords, "t" | "times">, session: CourseSession): string {
  const { title, startsAt, counts } = session;
  const name = t("grid.files.sessionOf", {
    session: title ?? t("common.untitledSession"),
    when: startsAt === null ? t("review.noDate") : times.text(startsAt),
  });
  return counts ? name : `${name} (${t("grades.files.doesNotCount")})`;
}

function rowCells(words: GridWords, row: GridRow): TableCell[] {
  const { t } = words;
  const { tally } = row;
  return [
    listedName(row),
    row.sub,
    t(row.active ? "analytics.yes" : "analytics.no"),
    sectionsText(words, row.sectionIds),
    ...row.cells.map((cell) => (cell.kind === "status" ? statusView(t, cell.status).text : null)),
    tally.PRESENT,
    tally.LATE,
    tally.ABSENT,
    tally.EXCUSED,
    tally.unknown,
    row.rate === null ? null : Math.round(row.rate * 10_000) / 100,
  ];
}

/** First and last day of attendance, within the requested days. */
function dayCells({ t }: GridWords, days: AttendanceDays | undefined): TableCell[] {
  const cells = (day: AttendedDay | null | undefined) =>
    day == null ? [null, null] : [day.date, t(`grades.files.source.${day.kind}`)];
  return [...cells(days?.first), ...cells(days?.last)];
}

/** Paper has no button for the next page. An A4 page holds as many sessions as the table shows at once. */
const maxLearners = 300;
const counted = ["PRESENT", "LATE", "ABSENT", "EXCUSED"] as const;

export type GridPrintPage = PageOf<typeof gridPrintModel>;

/** The table for paper: the latest sessions of the days, for the first learners that match. */
export async function gridPrintModel(
  app: AttendancePagesApp,
  { visit, fields: { filter, days }, words: plain }: PageContext<"grades", RequestedGrid>,
) {
  const { course } = visit;
  const words = gridWords(plain);
  const { t } = words;
  const grid = await showGrid(app, course, { ...filter, page: 1, perPage: maxLearners, back: 0 }, days);
  const { looks, of } = createFaces(words);
  const lines = linesView(words, grid, of);
  return {
    title: t("register.title", { course: courseNameOf(t, course) }),
    /** The subject of the table, who made it and when. */
    about: await exportWords(app, visit, words, { sectionId: grid.filter.sectionId, days }),
    columns: columnsView(words, grid.sessions),
    lines: grid.rows.map((row, at) => lineView(words, row, lookedUp(looks, lines[at]?.cells ?? []))),
    /** Heads of the columns of numbers. */
    letters: counted.map((status) => ({
      letter: t(`grid.cell.letters.${status}`),
      text: t(`review.statuses.${status}`),
    })),
    /** The sum, how it is worked out, and what is left out. */
    sums: [...sumWords(words, grid), ...policyWords(t, course.policy), ...moreWords(words, grid)],
    legend: legendView(words).filter(({ sign }) => sign !== ""),
  };
}

function lookedUp(looks: readonly CellFace[], places: readonly number[]): CellFace[] {
  return places.flatMap((index) => looks[index] ?? []);
}

function lineView({ format }: GridWords, row: GridRow, cells: readonly CellFace[]) {
  return {
    name: listedName(row),
    left: !row.active,
    cells,
    /** How often present, late, absent and excused, in the sessions shown that count. */
    numbers: counted.map((status) => format.number(row.tally[status])),
    rate: row.rate === null ? "–" : format.percent(row.rate),
  };
}

function sumWords(words: GridWords, grid: Grid): string[] {
  const tally = countedTally(grid);
  const { listed, sessionsTotal: sessions, filter } = grid;
  return [
    glanceWords(words, { listed, sessions, tally, narrowed: isNarrowed(filter) }),
    countsText(words, tally),
    words.t("grid.legend.rate"),
  ];
}

function moreWords({ t, format }: GridWords, { rows, listed, sessions, sessionsTotal }: Grid): string[] {
  const countsOf = (shown: number, all: number) => ({ shown: format.number(shown), all: format.number(all) });
  return [
    ...(rows.length < listed ? [t("grid.print.moreLearners", countsOf(rows.length, listed))] : []),
    ...(sessions.length < sessionsTotal
      ? [t("grid.print.moreSessions", countsOf(sessions.length, sessionsTotal))]
      : []),
  ];
}

/** What an exported table says about itself: course, learners, sessions, who made it and when, and the time zone. */
export async function exportWords(
  { people, clock }: Pick<App, "clock" | "people">,
  { session, course }: InstructorVisit,
  words: CourseWords,
  { sectionId, days }: { sectionId: string | null; days: DayRange },
): Promise<string[]> {
  const { t, times } = words;
  const [reader] = await people.findMany([session.personId]);
  const name = reader === undefined ? t("grades.files.about.somebody") : personName(reader, "instructor");
  const section = words.sections.find((one) => one.lmsSectionId === sectionId);
  const now = clock.now();
  return [
    courseNameOf(t, course),
    ...(section === undefined ? [] : [sectionLabel(t, words.sectionKind, section)]),
    daysText(words, days),
    t("grades.files.about.by", { name, when: times.text(now) }),
    t("sessions.zone.shown", { zone: times.place(now) }),
  ];
}

function daysText({ t }: CourseWords, { from, to }: DayRange): string {
  if (from === null && to === null) return t("common.allSessions");
  if (from === null) return t("grades.files.about.until", { to: dayText(t.locale, to ?? "") });
  if (to === null) return t("grades.files.about.since", { from: dayText(t.locale, from) });
  return t("grades.files.about.between", { from: dayText(t.locale, from), to: dayText(t.locale, to) });
}
