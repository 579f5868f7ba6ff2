import type { Tally } from "../rules/attendance-grid.ts";
import { barKinds, type BarPart, barParts } from "./grid-charts.ts";
import type { GridWords } from "./grid-words.ts";

type Words = Pick<GridWords, "t" | "format">;

/** A session's bar with the same in words. */
export type Bar = { parts: BarPart[]; text: string };

/** A bar of how many stand how. */
export type BarShown = { bar: Bar };

/** @param session Its title. */
export function barView({ t, format }: Words, session: string, tally: Tally): Bar {
  return {
    parts: barParts(tally),
    text: t("grid.trend.bar", { session, counts: countsText({ t, format }, tally) }),
  };
}

/** "20 present, 3 late", without what is zero. */
export function countsText({ t, format }: Words, tally: Tally): string {
  const parts = barKinds.flatMap((kind) =>
    tally[kind] === 0 ? [] : [t(`grid.trend.counts.${kind}`, { number: format.number(tally[kind]) })],
  );
  return parts.length === 0 ? t("grid.trend.nothing") : format.list(parts);
}
