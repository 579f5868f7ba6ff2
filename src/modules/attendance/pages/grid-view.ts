import ejs from "ejs";
import { asKnownStatus } from "../../../domain/attendance.ts";
import { listedName } from "../../../domain/person.ts";
import { type GridCell, rateOf, shareOfClass, type Tally } from "../rules/attendance-summary.ts";
import type { Grid } from "../show-grid.ts";
import { scoreText } from "../../grading/pages/grading-words.ts";
import { type ReaderFormat, readerFormat } from "../../../web/course-times.ts";
import type { PageWords } from "../../../web/course-words.ts";
import { statusView } from "../../../web/page-text.ts";
import { barKinds, barTones, sessionView } from "./session-view.ts";

/** If there are more sections, they are under "Find and sort" instead. */
export const maxSectionChips = 6;

export type GridWords = PageWords & { format: ReaderFormat };

type Words = Pick<GridWords, "t" | "format">;

export function gridWords(words: PageWords): GridWords {
  return { ...words, format: readerFormat(words.t, words.times.zone) };
}

/** "3 learners · 3 sessions · 67% attended · 4 not recorded". @param tally Counts the sessions that count. */
export function glanceWords(
  { t, format }: Words,
  about: { listed: number; sessions: number; tally: Tally; narrowed: boolean },
): string {
  const { listed, sessions, tally, narrowed } = about;
  const rate = rateOf(tally);
  const key = narrowed ? "grid.glance.fitting" : "common.learnerCount";
  const texts = [
    t(key, { count: listed, number: format.number(listed) }),
    t("common.sessionCount", { count: sessions, number: format.number(sessions) }),
    ...(rate === null ? [] : [t("common.rateAttended", { rate: format.percent(rate) })]),
    ...(tally.blank === 0 ? [] : [t("register.counts.blank", { number: format.number(tally.blank) })]),
  ];
  return texts.join(" · ");
}

export type BarModel = { bar: ReturnType<typeof barView> };

function barView(words: Words, session: string, tally: Tally) {
  return {
    /** `fill`: class in the style sheet. */
    parts: barParts(tally).map((part) => ({ ...part, fill: barFill(part.kind) })),
    text: words.t("grid.trend.bar", { session, counts: countsText(words, tally) }),
  };
}

/** "20 present, 3 late", without zeros. */
export function countsText({ t, format }: Words, tally: Tally): string {
  const parts = barKinds.flatMap((kind) =>
    tally[kind] === 0 ? [] : [t(`register.counts.${kind}`, { number: format.number(tally[kind]) })],
  );
  return parts.length === 0 ? t("grid.trend.nothing") : format.list(parts);
}

export const barFill = (kind: (typeof barKinds)[number]): string => `f-${barTones[kind]}`;

/** The parts of a session's bar from top to bottom; empty if there is nobody. */
export function barParts(tally: Tally): { kind: (typeof barKinds)[number]; from: number; size: number }[] {
  const all = barKinds.reduce((sum, kind) => sum + tally[kind], 0);
  let below = 0;
  return barKinds
    .flatMap((kind) => {
      if (tally[kind] === 0) return [];
      below += tally[kind];
      return [{ kind, from: percent(all - below, all), size: percent(tally[kind], all) }];
    })
    .reverse();
}

/** A point of the line, in percent of the drawing. `rate` is 0 to 1. */
type TrendPoint = { x: number; y: number; rate: number; at: number };

/** Puts points in the middle of columns whose rate is known. @param rightToLeft Puts the earliest on the right. */
function trendOf(tallies: readonly Tally[], rightToLeft: boolean) {
  const points = tallies.flatMap((tally, at): TrendPoint[] => {
    const rate = shareOfClass(tally);
    if (rate === null) return [];
    const along = percent(at + 0.5, tallies.length);
    return [{ x: rightToLeft ? 100 - along : along, y: heightOf(rate), rate, at }];
  });
  const segments = points.flatMap((to, n) => {
    const from = points[n - 1];
    return from === undefined ? [] : [{ from, to }];
  });
  return {
    points: points.map(rounded),
    segments: segments.map(({ from, to }) => ({ from: rounded(from), to: rounded(to) })),
  };
}

/** Distance from the upper edge in percent, with a margin. @param rate 0 to 1. */
function heightOf(rate: number): number {
  return hundredths(10 + (1 - rate) * 80);
}

function rounded(point: TrendPoint): TrendPoint {
  return { ...point, x: hundredths(point.x), y: hundredths(point.y) };
}

function percent(part: number, all: number): number {
  return hundredths((part / all) * 100);
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}

/** A correction is marked by a corner instead of a sign. */
export const markSigns = { corrected: "", note: "+", conflict: "!" } as const;

export const emptySigns = { blank: "–", elsewhere: "·", away: "·" } as const;

/** How a cell looks; hundreds of cells share one face. */
export type CellFace = {
  /** Classes in the style sheet; empty for the most common face. */
  name: string;
  letter: string;
  /** "+" for a note, "!" if it differs from the classroom's record. A correction gets a corner from the style sheet. */
  extra: string;
  text: string;
  status: string;
  /** The stored status; "" if nothing is recorded. */
  value: string;
};

export type TrendModel = { trend: NonNullable<ReturnType<typeof trendView>> };

export function createFaces({ t, format }: GridWords) {
  const looks: CellFace[] = [];
  const counting = new Map<string, number>();
  const apart = new Map<string, number>();
  const make = (cell: GridCell, counts: boolean): CellFace => {
    const { name, letter, text, marks, value } = faceOf(t, cell);
    const facts = [
      ...marks.map((mark) => t(`grid.cell.marks.${mark}`)),
      ...(counts ? [] : [t("grid.cell.notCounting")]),
    ];
    const classes = [name, ...(marks.includes("corrected") ? ["by"] : []), ...(counts ? [] : ["apart"])];
    // All unknown statuses look the same, so each gets a number.
    const same = name === "X" ? [`x${looks.length}`] : [];
    return {
      name: [...classes, ...same].join(" ").trim(),
      letter,
      extra: marks.map((mark) => markSigns[mark]).join(""),
      text: facts.length === 0 ? text : t("grid.cell.facts", { status: text, facts: format.list(facts) }),
      status: text,
      value,
    };
  };
  return {
    looks,
    of: (cell: GridCell, counts: boolean): number => {
      const places = counts ? counting : apart;
      const key = keyOf(cell);
      const known = places.get(key);
      if (known !== undefined) return known;
      places.set(key, looks.length);
      return looks.push(make(cell, counts)) - 1;
    },
  };
}

/** Short markup, because a table has hundreds of cells. */
export function facesView(looks: readonly CellFace[]) {
  return {
    /** Markup of the rest of a cell's button after its value, by the face's index. */
    endings: looks.map(({ name, letter, extra }) => {
      const classes = name === "" ? "" : ` class="${name}"`;
      const signs = ejs.escapeXML(letter) + (extra === "" ? "" : `<i>${extra}</i>`);
      return `${classes}>${signs}</button>`;
    }),
    /** JSON for grid.js: by class, what a mark says, its status in words, and the stored status. */
    looks: JSON.stringify(
      Object.fromEntries(looks.map(({ name, text, status, value }) => [name, [text, status, value]])),
    ),
  };
}

/** Equal for cells that look the same. A status is never empty. */
function keyOf(cell: GridCell): string {
  if (cell.kind !== "status") return ` ${cell.kind}`;
  return cell.marks.length === 0 ? cell.status : `${cell.status} ${cell.marks.join(" ")}`;
}

/** The classes of the known statuses. Present is the usual one and has none. */
const statusClasses = { PRESENT: "", LATE: "L", ABSENT: "A", EXCUSED: "E" } as const;
const emptyClasses = { blank: "U", elsewhere: "N", away: "N" } as const;

function faceOf(t: GridWords["t"], cell: GridCell) {
  if (cell.kind !== "status") {
    return {
      name: emptyClasses[cell.kind],
      letter: emptySigns[cell.kind],
      text: t(`grid.cell.${cell.kind}`),
      marks: [],
      value: "",
    };
  }
  const { text } = statusView(t, cell.status);
  const known = asKnownStatus(cell.status);
  return {
    name: known === null ? "X" : statusClasses[known],
    letter: known === null ? "?" : t(`grid.cell.letters.${known}`),
    text,
    marks: cell.marks,
    value: cell.status,
  };
}

export function columnsView(words: GridWords, sessions: Grid["sessions"]) {
  const { t, format } = words;
  return sessions.map(({ session, tally }) => {
    const about = sessionView(words, session);
    const rate = shareOfClass(tally);
    return {
      eventId: session.eventId,
      title: about.title,
      when: about.when,
      weekday: session.startsAt === null ? "" : format.weekday(session.startsAt),
      day: session.startsAt === null ? "–" : format.dayOfMonth(session.startsAt),
      label: t("grid.table.openSession", { session: about.title, when: about.when }),
      counts: session.counts,
      tally,
      bar: barView(words, about.title, tally),
      rate: rate === null ? "–" : format.percent(rate),
    };
  });
}

/** The numbers that people look for, without those that are always 0. @param columns As from `columnsView`. */
export function numbersView(words: GridWords, columns: ReturnType<typeof columnsView>) {
  const { t, format } = words;
  const kinds = (["ABSENT", "blank"] as const).filter((kind) => columns.some(({ tally }) => tally[kind] > 0));
  return {
    heads: kinds.map((kind) => t(kind === "blank" ? "grid.cell.blank" : `review.statuses.${kind}`)),
    rows: columns.map(({ title, when, rate, tally }) => ({
      title,
      when,
      others: countsText(words, { ...tally, ABSENT: 0, blank: 0 }),
      numbers: [...kinds.map((kind) => format.number(tally[kind])), rate],
    })),
  };
}

/** The months above the days, and how many columns each has. */
export function monthsView({ format }: GridWords, sessions: Grid["sessions"]) {
  const months: { text: string; columns: number }[] = [];
  for (const { session } of sessions) {
    const text = session.startsAt === null ? "–" : format.month(session.startsAt);
    const last = months.at(-1);
    if (last?.text === text) last.columns += 1;
    else months.push({ text, columns: 1 });
  }
  return months;
}

export function linesView(
  words: GridWords,
  { rows, sessions, limits }: Pick<Grid, "limits" | "rows" | "sessions">,
  lookOf: ReturnType<typeof createFaces>["of"],
) {
  const { t, format } = words;
  const counting = sessions.map(({ session }) => session.counts);
  return rows.map((row) => ({
    personId: row.personId,
    name: listedName(row),
    /** Below the name: the share attended, the score, and whether they left. */
    about: [
      ...(row.rate === null ? [] : [format.percent(row.rate)]),
      ...(row.delivery === null ? [] : [scoreText(t, row.delivery.desired)]),
      ...(row.active ? [] : [t("grid.table.left")]),
    ].join(" · "),
    /** Labels of the limits that the learner has reached. */
    limits: limits.get(row.personId) ?? [],
    cells: row.cells.map((cell, at) => lookOf(cell, counting[at] ?? true)),
  }));
}

/** The trend line in percent, so it fits any width and its text stays legible. Null if there is no line yet. */
export function trendView({ t, format }: GridWords, sessions: Grid["sessions"]) {
  const counting = sessions.filter(({ session }) => session.counts);
  const { points, segments } = trendOf(
    counting.map(({ tally }) => tally),
    t("language.direction") === "rtl",
  );
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length < 2) return null;
  const rates = points.map(({ rate }) => rate);
  return {
    points: points.map((point) => ({
      ...point,
      text: t("label.value", {
        label: counting[point.at]?.session.title ?? t("common.untitledSession"),
        value: format.percent(point.rate),
      }),
    })),
    segments,
    rules: [1, 0.5, 0].map((rate) => ({ y: heightOf(rate), text: format.percent(rate) })),
    text: t("grid.trend.chart", {
      count: points.length,
      first: format.percent(first.rate),
      last: format.percent(last.rate),
      lowest: format.percent(Math.min(...rates)),
      highest: format.percent(Math.max(...rates)),
    }),
  };
}
