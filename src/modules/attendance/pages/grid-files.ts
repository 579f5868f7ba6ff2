import type { Response } from "express";
import { everyGridRow, type GridRow, type ShowGridDeps } from "../show-grid.ts";
import type { GridFilter } from "../grid-filter.ts";
import type { CourseSession } from "../../scheduling/rules/course-session.ts";
import { listedName } from "../../../domain/person-name.ts";
import { type CsvCell, csvLine } from "../../../web/csv-line.ts";
import { type GridPageDeps, gridWords } from "./grid-page.ts";
import { type GridWords } from "./grid-view.ts";
import type { InstructorVisit } from "../../../web/instructor-visit.ts";
import { sessionView } from "./register-view.ts";
import { sectionsText } from "../../members/pages/section-words.ts";
import { sendLines } from "../../grading/pages/send-lines.ts";
import { statusView } from "../../../web/status-view.ts";

/** Sends the table of learners and sessions with all its sessions, of the learners that fit. */
export async function sendGridFile(
  deps: GridPageDeps,
  visit: InstructorVisit,
  filter: GridFilter,
  response: Response,
): Promise<void> {
  const words = await gridWords(deps, visit);
  const lines = gridFileLines(deps, visit, words, filter);
  await sendLines(deps, words.t, visit.course, words.t("grid.files.name"), lines, response);
}

async function* gridFileLines(
  deps: ShowGridDeps,
  { course }: InstructorVisit,
  words: GridWords,
  filter: GridFilter,
): AsyncGenerator<string> {
  let first = true;
  for await (const { sessions, rows } of everyGridRow(deps, course, filter)) {
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
