import { listedName } from "../../../domain/person-name.ts";
import { page, type PageAnswer } from "../../../web/answer.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import { defineView } from "../../../web/view.ts";
import { policyWords } from "../../grading/pages/policy-words.ts";
import { isNarrowed } from "../grid-filter.ts";
import { type Grid, type GridRow, showGrid } from "../show-grid.ts";
import type { AttendanceApp } from "./attendance-app.ts";
import { exportWords } from "./export-words.ts";
import { glanceWords } from "./glance-words.ts";
import { countsText } from "./grid-bar.ts";
import type { WantedGrid } from "./grid-files.ts";
import { countedTally, legendView } from "./grid-page.ts";
import { type CellLook, columnsView, createLooks, type GridColumn } from "./grid-view.ts";
import { type GridWords, gridWords } from "./grid-words.ts";

export type GridPrintPage = CourseFrame & {
  /** What the table is about, who made it and when. */
  about: readonly string[];
  columns: readonly GridColumn[];
  lines: readonly PrintLine[];
  /** Heads of `numbers`. */
  letters: readonly { letter: string; text: string }[];
  /** The sum, how it is worked out, and what is left out. */
  sums: readonly string[];
  legend: readonly { sign: string; text: string }[];
};

type PrintLine = {
  name: string;
  /** Left the course. */
  left: boolean;
  cells: readonly CellLook[];
  /** Present, late, absent and excused, of the sessions shown that count. */
  numbers: readonly string[];
  rate: string;
};

/** A page on paper has no next page to press; an A4 page holds as many sessions as the table shows at once. */
const maxLearners = 300;
const counted = ["PRESENT", "LATE", "ABSENT", "EXCUSED"] as const;

const printView = defineView<GridPrintPage>("course/grid-print");

/** The table for paper: the latest sessions of the days, of the first learners that fit. */
export async function gridPrintPage(
  app: AttendanceApp,
  visit: InstructorVisit,
  { filter, days }: WantedGrid,
): Promise<PageAnswer> {
  const { course } = visit;
  const words = await gridWords(app, visit);
  const { t } = words;
  const grid = await showGrid(app, course, { ...filter, page: 1, perPage: maxLearners, back: 0 }, days);
  const { looks, of } = createLooks(words);
  const columns = columnsView(words, grid.sessions);
  const places = grid.rows.map((row) => row.cells.map((cell, at) => of(cell, columns[at]?.counts ?? true)));
  const lines = grid.rows.map((row, at) => lineView(words, row, lookedUp(looks, places[at] ?? [])));
  return page(printView, {
    title: t("grid.title", { course: courseNameOf(t, course) }),
    about: await exportWords(app, visit, words, { sectionId: grid.filter.sectionId, days }),
    columns,
    lines,
    letters: counted.map((status) => ({
      letter: t(`grid.cell.letters.${status}`),
      text: t(`review.statuses.${status}`),
    })),
    sums: [...sumWords(words, grid), ...policyWords(t, course.policy), ...moreWords(words, grid)],
    legend: legendView(words).filter(({ sign }) => sign !== ""),
  });
}

function lookedUp(looks: readonly CellLook[], places: readonly number[]): CellLook[] {
  return places.flatMap((place) => looks[place] ?? []);
}

function lineView({ format }: GridWords, row: GridRow, cells: readonly CellLook[]): PrintLine {
  return {
    name: listedName(row),
    left: !row.active,
    cells,
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
  const shownOf = (shown: number, all: number) => ({ shown: format.number(shown), all: format.number(all) });
  return [
    ...(rows.length < listed ? [t("grid.print.moreLearners", shownOf(rows.length, listed))] : []),
    ...(sessions.length < sessionsTotal
      ? [t("grid.print.moreSessions", shownOf(sessions.length, sessionsTotal))]
      : []),
  ];
}
