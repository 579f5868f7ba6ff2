import { everyGridRow, type GridRow } from "../show-grid.ts";
import type { GridFilter } from "../grid-filter.ts";
import type { CourseSession } from "../../scheduling/rules/course-session.ts";
import { listedName } from "../../../domain/person-name.ts";
import type { Answer } from "../../../web/answer.ts";
import { type CsvCell, csvLine } from "../../../web/csv-line.ts";
import type { InstructorVisit } from "../../../web/instructor-visit.ts";
import { linesFile } from "../../../web/lines-file.ts";
import { statusView } from "../../../web/status-view.ts";
import { sectionsText } from "../../members/pages/section-words.ts";
import type { AttendanceApp } from "./attendance-app.ts";
import { type GridWords, gridWords } from "./grid-words.ts";
import { sessionView } from "./session-view.ts";

/** All sessions, of the learners that fit. */
export async function gridFile(
  app: AttendanceApp,
  visit: InstructorVisit,
  filter: GridFilter,
): Promise<Answer> {
  const words = await gridWords(app, visit);
  const lines = gridFileLines(app, visit, words, filter);
  return linesFile(app, words.t, visit.course, words.t("grid.files.name"), lines);
}

async function* gridFileLines(
  app: AttendanceApp,
  { course }: InstructorVisit,
  words: GridWords,
  filter: GridFilter,
): AsyncGenerator<string> {
  let first = true;
  for await (const { sessions, rows } of everyGridRow(app, course, filter)) {
    const head = first ? csvLine(headCells(words, sessions)) : "";
    first = false;
    yield head + rows.map((row) => csvLine(rowCells(words, row))).join("");
  }
}

function headCells(words: GridWords, sessions: readonly CourseSession[]): CsvCell[] {
  const { t } = words;
  return [
    ...(["learner", "lmsId", "inCourse", "sections"] as const).map((name) =>
      t(`grades.files.columns.${name}`),
    ),
    ...sessions.map((session) => {
      const { title, when, counts } = sessionView(words, session, words.now);
      const name = t("grid.files.sessionOf", { session: title, when });
      return counts ? name : `${name} (${t("grades.files.doesNotCount")})`;
    }),
    ...(["present", "late", "absent", "excused", "unknown"] as const).map((name) =>
      t(`grades.files.columns.${name}`),
    ),
    t("grid.files.rate"),
  ];
}

function rowCells(words: GridWords, row: GridRow): CsvCell[] {
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
