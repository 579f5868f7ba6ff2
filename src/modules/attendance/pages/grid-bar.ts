import type { Tally } from "../rules/attendance-grid.ts";
import { barFill, barKinds, type BarPart, barParts } from "./grid-charts.ts";
import type { GridWords } from "./grid-words.ts";

type Words = Pick<GridWords, "t" | "format">;

/** `fill`: class of the style sheet. */
export type Bar = { parts: (BarPart & { fill: string })[]; text: string };

export type BarShown = { bar: Bar };

export function barView({ t, format }: Words, session: string, tally: Tally): Bar {
  return {
    parts: barParts(tally).map((part) => ({ ...part, fill: barFill(part.kind) })),
    text: t("grid.trend.bar", { session, counts: countsText({ t, format }, tally) }),
  };
}

/** "20 present, 3 late", without zeros. */
export function countsText({ t, format }: Words, tally: Tally): string {
  const parts = barKinds.flatMap((kind) =>
    tally[kind] === 0 ? [] : [t(`grid.trend.counts.${kind}`, { number: format.number(tally[kind]) })],
  );
  return parts.length === 0 ? t("grid.trend.nothing") : format.list(parts);
}
