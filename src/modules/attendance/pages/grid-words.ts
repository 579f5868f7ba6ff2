import { rateOf, type Tally } from "../rules/attendance-summary.ts";
import { type ReaderFormat, readerFormat } from "../../../web/course-times.ts";
import type { PageWords } from "../../../web/course-words.ts";
import type { Tone } from "../../../web/page-parts.ts";

/** With more sections, they are found in the table under "Find and sort". */
export const maxSectionChips = 6;

export type GridWords = PageWords & { format: ReaderFormat };

type Words = Pick<GridWords, "t" | "format">;

export function gridWords(words: PageWords): GridWords {
  return { ...words, format: readerFormat(words.t, words.times.zone) };
}

/** "3 learners · 3 sessions · 67% attended · 4 not recorded". @param tally Of the sessions that count. */
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

export type BarShown = { bar: ReturnType<typeof barView> };

export function barView(words: Words, session: string, tally: Tally) {
  return {
    /** `fill`: class of the style sheet. */
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

/** From the bottom of a bar. */
export const barKinds = ["PRESENT", "LATE", "EXCUSED", "unknown", "ABSENT", "blank"] as const;

/** Colours of the parts of a bar, and of what names them. */
export const barTones: Readonly<Record<(typeof barKinds)[number], Tone>> = {
  PRESENT: "good",
  LATE: "wait",
  EXCUSED: "free",
  unknown: "info",
  ABSENT: "bad",
  blank: "none",
};

/** The fill of the style sheet. */
export const barFill = (kind: (typeof barKinds)[number]): string => `f-${barTones[kind]}`;

/** A part of a bar, in percent of its height. */
type BarPart = { kind: (typeof barKinds)[number]; from: number; size: number };

/** The parts of a session's bar from top to bottom; empty when there is nobody. */
export function barParts(tally: Tally): BarPart[] {
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

/** A point of the line, in percent of the drawing; `rate` is 0 to 1. */
export type TrendPoint = { x: number; y: number; rate: number; at: number };

/** In the middle of columns, where the rate is known. @param rightToLeft The earliest is on the right. */
export function trendOf(tallies: readonly Tally[], rightToLeft: boolean) {
  const points = tallies.flatMap((tally, at): TrendPoint[] => {
    const rate = rateOf(tally);
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

/** From the upper edge, in percent, with a margin. @param rate 0 to 1. */
export function heightOf(rate: number): number {
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

/** A correction has no sign beside the letter, but a corner. */
export const markSigns = { corrected: "", note: "+", conflict: "!" } as const;

export const emptySigns = { blank: "–", elsewhere: "·", away: "·" } as const;
