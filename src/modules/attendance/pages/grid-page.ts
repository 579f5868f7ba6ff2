import { type GridFilter, isNarrowed } from "../grid-filter.ts";
import { type Grid, showGrid } from "../show-grid.ts";
import { type PageAnswer, page } from "../../../web/answer.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import type { InstructorVisit } from "../../../web/instructor-visit.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import { statusView } from "../../../web/status-view.ts";
import { defineView } from "../../../web/view.ts";
import { sectionLabel } from "../../members/pages/section-words.ts";
import type { AttendanceApp } from "./attendance-app.ts";
import { barKinds } from "./grid-charts.ts";
import { filterFields, type GridFields, onlyChoices, pageSizes, type PressedCell } from "./grid-form.ts";
import { emptySigns, markSigns } from "./grid-signs.ts";
import {
  type CellLook,
  columnsView,
  createLooks,
  type GridColumn,
  type GridLine,
  hasScore,
  linesView,
  type TrendChart,
  trendView,
} from "./grid-view.ts";
import { type GridWords, gridWords } from "./grid-words.ts";
import { statusChoices } from "./status-choices.ts";

export type GridPage = CourseFrame & {
  zone: string;
  narrowed: boolean;
  filter: GridFilter;
  fields: GridFields;
  choices: {
    only: typeof onlyChoices;
    orders: { value: GridFilter["order"]; label: string }[];
    sizes: typeof pageSizes;
    kinds: typeof barKinds;
  };
  sections: { id: string; label: string }[];
  /** The LMS calls sections groups. */
  groups: boolean;
  glance: { listed: number; sessions: number; texts: string[]; low: string | null };
  columns: GridColumn[];
  looks: CellLook[];
  lines: GridLine[];
  hasScore: boolean;
  trend: TrendChart | null;
  countsEverybody: boolean;
  /** `name`: class of the style sheet. */
  legend: { name: string; sign: string; text: string }[];
  /** `earlier`, `later`: their `back`. Null when all sessions are shown. */
  sessionPages: { position: string; earlier: number | null; later: number | null } | null;
  page: number;
  pages: number;
  said: string | null;
  warning: string | null;
  /** Row -1 is the head; null when what was open is not shown. */
  focus: { row: number; column: number } | null;
};

const gridView = defineView<GridPage>("course/grid");

/** @param focus The cell, or with an empty person the session, that was open. */
export async function gridPage(
  app: AttendanceApp,
  visit: InstructorVisit,
  { filter: wanted, focus }: { filter: GridFilter; focus: PressedCell | null },
  about: { said: string; warning: string | null } | null,
): Promise<PageAnswer> {
  const { course } = visit;
  const words = await gridWords(app, visit);
  const { t } = words;
  const grid = await showGrid(app, course, wanted);
  const { looks, of } = createLooks(words);
  const shown = grid.sessions.map((one) => one.session);
  const lines = linesView(words, grid.rows, shown, of);
  return page(gridView, {
    title: t("grid.title", { course: courseNameOf(t, course) }),
    zone: words.times.zone,
    narrowed: isNarrowed(grid.filter) || grid.filter.sectionId !== null,
    filter: grid.filter,
    fields: filterFields(grid.filter),
    choices: {
      only: onlyChoices,
      orders: [
        { value: "name", label: t("grid.filter.orders.name") },
        { value: "rate", label: t("grid.filter.orders.rate") },
      ],
      sizes: pageSizes,
      kinds: barKinds,
    },
    sections: words.sections.map((section) => ({
      id: section.lmsSectionId,
      label: sectionLabel(t, words.sectionKind, section),
    })),
    groups: words.sectionKind === "groups",
    glance: glanceView(words, grid),
    columns: columnsView(words, grid.sessions),
    looks,
    lines,
    hasScore: hasScore(course.policy),
    trend: trendView(words, grid.sessions),
    countsEverybody: grid.countsEverybody,
    legend: legendView(words),
    sessionPages: sessionPagesView(words, grid),
    page: grid.filter.page,
    pages: grid.pages,
    said: about?.said ?? null,
    warning: about?.warning ?? null,
    focus: focusIn(grid, focus),
  });
}

function glanceView(words: GridWords, grid: Grid): GridPage["glance"] {
  const { listed, low, sessions, filter, sessionsTotal } = grid;
  const { t, format } = words;
  const all = { PRESENT: 0, LATE: 0, ABSENT: 0 };
  for (const { session, tally } of sessions) {
    if (!session.counts) continue;
    all.PRESENT += tally.PRESENT;
    all.LATE += tally.LATE;
    all.ABSENT += tally.ABSENT;
  }
  const known = all.PRESENT + all.LATE + all.ABSENT;
  const key = isNarrowed(filter) ? "grid.glance.fitting" : "grid.glance.learners";
  return {
    listed,
    sessions: sessionsTotal,
    texts: [
      t(key, { count: listed, number: format.number(listed) }),
      t("grid.glance.sessions", { count: sessionsTotal, number: format.number(sessionsTotal) }),
      ...(known === 0
        ? []
        : [t("grid.glance.rate", { rate: format.percent((all.PRESENT + all.LATE) / known) })]),
    ],
    low:
      low === null || low === 0 || filter.only !== null
        ? null
        : t("grid.glance.low", {
            count: low,
            number: format.number(low),
            percent: format.percent(filter.percent / 100),
          }),
  };
}

function legendView({ t }: GridWords): GridPage["legend"] {
  return [
    ...statusChoices(t).map(({ value, label }) => ({
      name: value,
      sign: `${statusView(t, value).sign} ${t(`grid.cell.letters.${value}`)}`,
      text: label,
    })),
    { name: "blank", sign: emptySigns.blank, text: t("grid.legend.blank") },
    { name: "elsewhere", sign: emptySigns.elsewhere, text: t("grid.cell.elsewhere") },
    { name: "unknown", sign: "?", text: t("grid.trend.other") },
    { name: "mark", sign: markSigns.corrected, text: t("grid.cell.marks.corrected") },
    { name: "mark", sign: markSigns.note, text: t("grid.cell.marks.note") },
    { name: "mark", sign: markSigns.conflict, text: t("grid.cell.marks.conflict") },
  ];
}

function sessionPagesView(
  { t }: GridWords,
  { sessions, sessionsTotal, filter }: Grid,
): GridPage["sessionPages"] {
  if (sessions.length >= sessionsTotal) return null;
  const to = sessionsTotal - filter.back;
  const from = to - sessions.length + 1;
  return {
    position: t("grid.sessionPages.position", { count: sessionsTotal, from, to }),
    earlier: from > 1 ? filter.back + sessions.length : null,
    later: filter.back > 0 ? Math.max(0, filter.back - sessions.length) : null,
  };
}

function focusIn({ rows, sessions }: Grid, focus: PressedCell | null): GridPage["focus"] {
  if (focus === null) return null;
  const column = sessions.findIndex(({ session }) => session.eventId === focus.eventId);
  if (column < 0) return null;
  if (focus.personId === "") return { row: -1, column };
  const row = rows.findIndex(({ personId }) => personId === focus.personId);
  return row < 0 ? null : { row, column };
}
