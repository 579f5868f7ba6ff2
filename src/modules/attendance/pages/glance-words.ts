import { rateOf, type Tally } from "../rules/attendance-grid.ts";
import type { GridWords } from "./grid-words.ts";

/** "3 learners · 3 sessions · 67% attended · 4 not recorded". @param tally Of the sessions that count. */
export function glanceWords(
  { t, format }: Pick<GridWords, "t" | "format">,
  {
    listed,
    sessions,
    tally,
    narrowed,
  }: { listed: number; sessions: number; tally: Tally; narrowed: boolean },
): string {
  const rate = rateOf(tally);
  const key = narrowed ? "grid.glance.fitting" : "grid.glance.learners";
  const texts = [
    t(key, { count: listed, number: format.number(listed) }),
    t("grid.glance.sessions", { count: sessions, number: format.number(sessions) }),
    ...(rate === null ? [] : [t("grid.glance.rate", { rate: format.percent(rate) })]),
    ...(tally.blank === 0 ? [] : [t("grid.glance.blank", { number: format.number(tally.blank) })]),
  ];
  return texts.join(" · ");
}
