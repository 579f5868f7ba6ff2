import { z } from "zod";
import { cutTo, wholeNumber } from "../../../kernel/text.ts";
import { type GridFilter, isNarrowed, wholeGrid } from "../grid-learners.ts";
import { emptyTally, type Tally } from "../rules/attendance-summary.ts";
import { endedText } from "../../grading/pages/sending-words.ts";
import { type Grid, showGrid } from "../show-grid.ts";
import { courseNameOf, type PageOf, sectionLabel } from "../../../web/course-words.ts";
import type { PageContext } from "../../../web/declared-page.ts";
import { tableForms } from "../../../web/table-file.ts";
import {
  columnsView,
  createFaces,
  emptySigns,
  facesView,
  glanceWords,
  type GridWords,
  gridWords,
  linesView,
  markSigns,
  maxSectionChips,
  monthsView,
  numbersView,
  trendView,
} from "./grid-view.ts";
import { barKinds, type AttendancePagesApp, statusChoices } from "./session-view.ts";

export type GridPage = PageOf<typeof gridModel>;

/** @param savedText Says what was saved. */
export async function gridModel(
  app: AttendancePagesApp,
  {
    visit: { course },
    fields,
    words: plainWords,
  }: PageContext<"grades", { filter: GridFilter; pressed: PressedCell }>,
  savedText: string | null,
) {
  const words = gridWords(plainWords);
  const { t } = words;
  const grid = await showGrid(app, course, fields.filter);
  const { filter, sessions } = grid;
  const { looks, of } = createFaces(words);
  const lines = linesView(words, grid, of);
  const columns = columnsView(words, sessions);
  return {
    title: t("register.title", { course: courseNameOf(t, course) }),
    narrowed: isNarrowed(filter) || filter.sectionId !== null,
    filter,
    fields: filterFields(filter),
    choices: {
      only: onlyChoices,
      orders: (["name", "rate"] as const).map((value) => ({
        value,
        label: t(`grid.filter.orders.${value}`),
      })),
      sizes: pageSizes,
      forms: tableForms,
    },
    sections: words.sections.map(({ lmsSectionId: id }) => ({ id, label: words.label(id) })),
    /** The LMS calls sections "groups". */
    groups: words.sectionKind === "groups",
    glance: glanceView(words, grid),
    ended: endedText(words.t, course, words.now),
    chips: chipsView(words, grid),
    months: monthsView(words, sessions),
    columns,
    faces: facesView(looks),
    lines,
    /** The statuses that a tap can give. */
    brushes: brushesView(words),
    trend: trendView(words, sessions),
    numbers: numbersView(words, columns),
    countsEverybody: grid.countsEverybody,
    legend: legendView(words),
    sessionPages: sessionPagesView(words, grid),
    page: filter.page,
    pages: grid.pages,
    said: savedText,
    focus: focusIn(grid, fields.pressed),
  };
}

function glanceView(words: GridWords, grid: Grid) {
  const { listed, filter, sessionsTotal: sessions } = grid;
  const narrowed = isNarrowed(filter);
  const tally = countedTally(grid);
  return { listed, sessions, text: glanceWords(words, { listed, sessions, tally, narrowed }) };
}

/** Counts the listed sessions that count for grades. Empty if only one page of the table was counted. */
export function countedTally({
  sessions,
  countsEverybody,
}: Pick<Grid, "sessions" | "countsEverybody">): Tally {
  const all = emptyTally();
  if (!countsEverybody) return all;
  for (const { session, tally } of sessions) {
    if (session.counts) for (const kind of barKinds) all[kind] += tally[kind];
  }
  return all;
}

function chipsView(words: GridWords, { low, listed, filter }: Grid) {
  const { t, format, sections, sectionKind } = words;
  const { only, sectionId, search } = filter;
  const plain = only === null && search.trim() === "";
  const percent = format.percent(filter.percent / 100);
  const lowText = t("grid.chips.low", { percent });
  const showing = (one: GridFilter["only"]) => (sectionId === null && only === one ? listed : null);
  const counted = (text: string, count: number | null) => ({
    text,
    count: count === null ? null : format.number(count),
  });
  const nobody: Partial<GridFields> = { only: "", find: "", section: "", page: "1" };
  const lowCount = plain && sectionId === null ? low : showing("low");
  return [
    {
      ...counted(t("common.everyone"), plain && sectionId === null ? listed : null),
      fields: { ...nobody, order: "name" },
      current: plain && sectionId === null,
    },
    ...(lowCount === 0
      ? []
      : [
          {
            ...counted(lowText, lowCount),
            fields: { ...nobody, only: "low", order: "rate" },
            current: only === "low" && sectionId === null,
          },
        ]),
    ...(["blank", "conflict"] as const).map((one) => ({
      ...counted(t(`grid.chips.${one}`), showing(one)),
      fields: { ...nobody, only: one },
      current: only === one && sectionId === null,
    })),
    ...(sections.length > maxSectionChips ? [] : sections).map((section) => ({
      ...counted(
        sectionLabel(t, sectionKind, section),
        plain && sectionId === section.lmsSectionId ? listed : null,
      ),
      fields: { ...nobody, section: section.lmsSectionId },
      current: sectionId === section.lmsSectionId,
    })),
  ];
}

/** `name`: class in the style sheet. `letter`: also its key on the keyboard. */
function brushesView({ t }: GridWords) {
  return statusChoices(t).map(({ value, label, name }) => ({
    status: value,
    name,
    letter: t(`grid.cell.letters.${value}`),
    text: label,
  }));
}

/** The table's signs and letters. `name`: class in the style sheet. */
export function legendView(words: GridWords) {
  const { t } = words;
  return [
    ...brushesView(words).map(({ name, letter, text }) => ({ name, sign: letter, text })),
    { name: "U", sign: emptySigns.blank, text: t("grid.cell.blank") },
    { name: "N", sign: emptySigns.elsewhere, text: t("grid.cell.elsewhere") },
    { name: "X", sign: "?", text: t("register.filter.statuses.unknown") },
    { name: "by", sign: "", text: t("grid.cell.marks.corrected") },
    { name: "N", sign: markSigns.note, text: t("grid.cell.marks.note") },
    { name: "N", sign: markSigns.conflict, text: t("grid.cell.marks.conflict") },
  ];
}

/** `earlier`, `later`: the `back` of those pages. Null if all sessions are shown. */
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

/** Where the focus goes: row -1 is the head. Null if the cell that was open isn't shown. */
function focusIn({ rows, sessions }: Grid, { eventId, personId }: PressedCell) {
  const column = sessions.findIndex(({ session }) => session.eventId === eventId);
  if (column < 0) return null;
  if (personId === "") return { row: -1, column };
  const row = rows.findIndex((one) => one.personId === personId);
  return row < 0 ? null : { row, column };
}

export const pageSizes = [25, 50, 100, 300] as const;

export const onlyChoices = [
  "low",
  "present",
  "late",
  "absent",
  "excused",
  "blank",
  "unknown",
  "conflict",
] as const;

/** A cell, named by ids or by positions in the table that was sent. */
export type PressedCell = { personId: string; eventId: string };

const whole = (min: number, max: number, otherwise: number) =>
  z.string().transform(wholeNumber).pipe(z.number().min(min).max(max)).catch(otherwise);

const filterShape = z.object({
  section: z.string().max(255).catch(""),
  only: z.enum(onlyChoices).nullable().catch(wholeGrid.only),
  percent: whole(1, 100, wholeGrid.percent),
  times: whole(1, 1_000, wholeGrid.times),
  find: z.string().trim().catch(""),
  order: z.enum(["name", "rate"]).catch(wholeGrid.order),
  page: whole(1, 100_000, 1),
  size: z.coerce
    .number()
    .pipe(z.union(pageSizes.map((size) => z.literal(size))))
    .catch(50),
  back: whole(0, 100_000, 0),
});

export function readGridFilter(body: unknown): GridFilter {
  const { section, find, size, ...rest } = filterShape.parse(body ?? {});
  return { ...rest, sectionId: section === "" ? null : section, search: cutTo(find, 200), perPage: size };
}

export type GridFields = Record<
  "section" | "only" | "percent" | "times" | "find" | "order" | "size" | "page" | "back",
  string
>;

export function filterFields(filter: GridFilter): GridFields {
  return {
    section: filter.sectionId ?? "",
    only: filter.only ?? "",
    percent: String(filter.percent),
    times: String(filter.times),
    find: filter.search,
    order: filter.order,
    size: String(filter.perPage),
    page: String(filter.page),
    back: String(filter.back),
  };
}

const pressedShape = z
  .object({
    cell: z.string().max(20).catch(""),
    /** The row of the name that was pressed. */
    who: z.string().max(10).catch(""),
    person: z.string().max(100).catch(""),
    event: z.string().max(300).catch(""),
  })
  .catchall(z.unknown());

/** Finds a cell's ids by row and column, in the ids that were sent with the table. */
export function readPressed(body: unknown): PressedCell {
  const fields = pressedShape.parse(body ?? {});
  const [row = "", column = ""] = fields.cell.split(".");
  return {
    personId: idIn(fields[`p.${fields.who === "" ? row : fields.who}`]) ?? fields.person,
    eventId: idIn(fields[`e.${column}`]) ?? fields.event,
  };
}

function idIn(value: unknown): string | null {
  return typeof value === "string" && value !== "" && value.length <= 300 ? value : null;
}
