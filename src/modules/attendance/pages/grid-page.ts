import type { PageResponse } from "../../../web/view.ts";
import { type GridFilter, isNarrowed } from "../grid-filter.ts";
import { type Grid, showGrid, type ShowGridDeps } from "../show-grid.ts";
import type { RegistrationStore } from "../../registration/store/registration-store.ts";
import type { Sessions } from "../../../web/session.ts";
import type { TranslatorOf } from "../../../web/translate.ts";
import { barKinds } from "./grid-charts.ts";
import { filterFields, onlyChoices, pageSizes, type PressedCell } from "./grid-form.ts";
import {
  columnsView,
  createLooks,
  emptySigns,
  type GridWords,
  hasScore,
  linesView,
  markSigns,
  trendView,
} from "./grid-view.ts";
import type { InstructorVisit } from "../../../web/instructor-visit.ts";
import { sectionLabel } from "../../members/pages/section-words.ts";
import { readerFormat } from "../../../web/reader-format.ts";
import { marksOf } from "./learner-view.ts";
import { statusView } from "../../../web/status-view.ts";
import { courseNameOf, courseWords } from "../../../web/course-words.ts";

export type GridPageDeps = ShowGridDeps & {
  registrations: Pick<RegistrationStore, "find">;
  sessions: Sessions;
  translatorOf: TranslatorOf;
};

/** What the page tells about what was just done, and where the reader was. */
export type GridNews = {
  said?: string | null;
  /** Something that goes on, or that others did meanwhile. */
  warning?: string | null;
  /** The cell, or with an empty person the session, that was open. */
  focus?: PressedCell | null;
};

/** The words of the table's pages. */
export async function gridWords(
  deps: Pick<GridPageDeps, "translatorOf" | "sections" | "registrations" | "clock">,
  visit: InstructorVisit,
): Promise<GridWords> {
  const words = await courseWords(deps, visit);
  const format = readerFormat(words.t, words.times.zone);
  return { ...words, format, now: deps.clock.now() };
}

/** The table of learners and sessions. */
export async function renderGrid(
  deps: GridPageDeps,
  visit: InstructorVisit,
  wanted: GridFilter,
  news: GridNews,
  response: PageResponse,
): Promise<void> {
  const { course, session } = visit;
  const words = await gridWords(deps, visit);
  const { t } = words;
  const grid = await showGrid(deps, course, wanted);
  const { looks, of } = createLooks(words);
  const shown = grid.sessions.map((one) => one.session);
  const lines = linesView(words, grid.rows, shown, of);
  const courseName = courseNameOf(t, course);
  response.render("course/grid", {
    t,
    title: t("grid.title", { course: courseName }),
    courseName,
    session: await deps.sessions.issue(session),
    zone: words.times.zone,
    narrowed: isNarrowed(grid.filter) || grid.filter.sectionId !== null,
    filter: grid.filter,
    fields: filterFields(grid.filter),
    choices: { only: onlyChoices, sizes: pageSizes, kinds: barKinds },
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
    said: news.said ?? null,
    warning: news.warning ?? null,
    focus: focusIn(grid, news.focus ?? null),
  });
}

/** What is said above the table. */
function glanceView(words: GridWords, { listed, low, sessions, filter, sessionsTotal }: Grid) {
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

/** Every sign with what it means. */
function legendView({ t }: GridWords) {
  return [
    ...marksOf(t).map(({ value, label }) => ({
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

/** Which sessions are shown, and the ways to others; null when all are. */
function sessionPagesView({ t }: GridWords, { sessions, sessionsTotal, filter }: Grid) {
  if (sessions.length >= sessionsTotal) return null;
  const to = sessionsTotal - filter.back;
  const from = to - sessions.length + 1;
  return {
    position: t("grid.sessionPages.position", { count: sessionsTotal, from, to }),
    earlier: from > 1 ? filter.back + sessions.length : null,
    later: filter.back > 0 ? Math.max(0, filter.back - sessions.length) : null,
  };
}

/** Where the focus goes: row and column, row -1 for the head; null when what was open is not shown. */
function focusIn({ rows, sessions }: Grid, focus: PressedCell | null) {
  if (focus === null) return null;
  const column = sessions.findIndex(({ session }) => session.eventId === focus.eventId);
  if (column < 0) return null;
  if (focus.personId === "") return { row: -1, column };
  const row = rows.findIndex(({ personId }) => personId === focus.personId);
  return row < 0 ? null : { row, column };
}
