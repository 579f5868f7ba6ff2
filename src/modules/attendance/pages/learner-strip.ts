import { addToTally, emptyTally, type GridCell, rateOf } from "../rules/attendance-grid.ts";
import type { LearnerSession } from "../show-learner.ts";
import { countsText } from "./grid-bar.ts";
import { emptySigns } from "./grid-signs.ts";
import { readerFormat } from "../../../web/course-times.ts";
import { sessionView } from "./session-view.ts";
import { statusView } from "../../../web/page-text.ts";
import type { CourseWords } from "../../../web/course-words.ts";

/** The latest ones are shown. */
const maxSessions = 40;

export type Strip = {
  /** Earliest first. `name`: class of the style sheet. */
  signs: { name: string; sign: string; text: string }[];
  counts: string;
  rate: string;
};

/** Earliest first, with the share attended of those that count. @param latestFirst As `showLearner` gives them. */
export function stripView(
  words: CourseWords,
  latestFirst: readonly LearnerSession[],
  now: number,
): Strip | null {
  if (latestFirst.length === 0) return null;
  const { t } = words;
  const format = readerFormat(t, words.times.zone);
  const [tally, counting] = [emptyTally(), emptyTally()];
  const signs = latestFirst.map(({ session, row }) => {
    const cell: GridCell =
      row.current === null ? { kind: "blank" } : { kind: "status", status: row.current.status, marks: [] };
    addToTally(tally, cell);
    if (session.counts) addToTally(counting, cell);
    const { title, when } = sessionView(words, session, now);
    const face = row.current === null ? null : statusView(t, row.current.status);
    const says = face?.text ?? t("grid.cell.blank");
    return {
      name: face?.name ?? "blank",
      sign: face?.sign ?? emptySigns.blank,
      text: t("grid.learner.sign", { session: title, when, status: says }),
    };
  });
  const rate = rateOf(counting);
  return {
    signs: signs.slice(0, maxSessions).reverse(),
    counts: countsText({ t, format }, tally),
    rate: rate === null ? t("grid.learner.noRate") : t("grid.learner.rate", { rate: format.percent(rate) }),
  };
}
