import { everyGridRow, type GridRow } from "../show-grid.ts";
import { type GridFilter, isNarrowed } from "../grid-filter.ts";
import { emptyTally, type Tally } from "../rules/attendance-grid.ts";
import type { CourseSession } from "../../scheduling/rules/course-session.ts";
import type { DayRange } from "../../scheduling/rules/day-range.ts";
import { listedName } from "../../../domain/person-name.ts";
import { policyWords } from "../../grading/pages/policy-words.ts";
import type { Answer } from "../../../web/answer.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { statusView } from "../../../web/page-text.ts";
import { type TableCell, tableFile, type TableForm, type TableRows } from "../../../web/table-file.ts";
import { sectionsText } from "../../members/pages/section-words.ts";
import type { AttendanceApp } from "./attendance-app.ts";
import { exportWords } from "./export-words.ts";
import { glanceWords } from "./glance-words.ts";
import { countsText } from "./grid-bar.ts";
import { barKinds } from "./grid-charts.ts";
import { type GridWords, gridWords } from "./grid-words.ts";

export type WantedGrid = { filter: GridFilter; days: DayRange };

/** All sessions of the days, of the learners that fit. */
export async function gridFile(
  app: AttendanceApp,
  visit: InstructorVisit,
  wanted: WantedGrid,
  form: TableForm,
): Promise<Answer> {
  const { course } = visit;
  const words = await gridWords(app, visit);
  const { t } = words;
  const about = await exportWords(app, visit, words, { ...wanted.filter, days: wanted.days });
  const sum: Sum = { listed: 0, sessions: 0, tally: emptyTally() };
  return tableFile(app, t, course, form, {
    name: t("grid.files.name"),
    rows: gridRows(app, visit, words, { ...wanted, sum }),
    moments: [],
    closing: () => [
      glanceWords(words, { ...sum, narrowed: isNarrowed(wanted.filter) }),
      countsText(words, sum.tally),
      t("grid.legend.rate"),
      ...policyWords(t, course.policy),
      ...about,
    ],
  });
}

/** Of what was written. */
type Sum = { listed: number; sessions: number; tally: Tally };

async function* gridRows(
  app: AttendanceApp,
  { course }: InstructorVisit,
  words: GridWords,
  { filter, days, sum }: WantedGrid & { sum: Sum },
): TableRows {
  let first = true;
  for await (const { sessions, rows } of everyGridRow(app, course, filter, days)) {
    sum.sessions = sessions.length;
    sum.listed += rows.length;
    for (const { tally } of rows) for (const kind of barKinds) sum.tally[kind] += tally[kind];
    const head = first ? [headCells(words, sessions)] : [];
    first = false;
    yield [...head, ...rows.map((row) => rowCells(words, row))];
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
  ];
}

/** A column's head; a table of marks that comes back is known by it. */
export function sessionHead({ t, times }: Pick<GridWords, "t" | "times">, session: CourseSession): string {
  const { title, startsAt, counts } = session;
  const name = t("grid.files.sessionOf", {
    session: title ?? t("review.untitled"),
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
    t(row.active ? "grades.files.yes" : "grades.files.no"),
    sectionsText(words, row.sectionIds),
    ...row.cells.map((cell) => (cell.kind === "status" ? statusView(t, cell.status).text : null)),
    ...[tally.PRESENT, tally.LATE, tally.ABSENT, tally.EXCUSED, tally.unknown],
    row.rate === null ? null : Math.round(row.rate * 10_000) / 100,
  ];
}
