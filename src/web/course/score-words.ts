import type { Translate } from "../translate.ts";

/** A score with its maximum, such as "93.33 / 100"; null asks for none. */
export function scoreText(
  t: Translate,
  grade: { score: number | null; maximum: number } | null,
  none = "grades.noScore",
): string {
  if (grade === null || grade.score === null) return t(none);
  const share = `${rounded(grade.score)} / ${rounded(grade.maximum)}`;
  // From the right, the two would change places.
  return t("language.direction") === "rtl" ? `\u2066${share}\u2069` : share;
}

/** The same in a sentence: "93.33 of 100". */
export function pointsText(t: Translate, grade: { score: number | null; maximum: number } | null): string {
  if (grade === null || grade.score === null) return t("grades.noScore");
  return t("grades.points", { score: rounded(grade.score), maximum: rounded(grade.maximum) });
}

/** A gradebook may tell more decimals than anybody gave. */
function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
