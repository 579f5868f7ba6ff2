import type { MessageKey } from "../../../web/english.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";

/** Such as "93.33 / 100"; null asks for none. */
export function scoreText(
  t: Translate,
  grade: { score: number | null; maximum: number } | null,
  none: MessageKey = "grades.noScore",
): string {
  if (grade === null || grade.score === null) return t(none);
  const share = `${numberText(t, grade.score)} / ${numberText(t, grade.maximum)}`;
  // From right to left the two would change places.
  return t("language.direction") === "rtl" ? `\u2066${share}\u2069` : share;
}

/** Such as "93.33 of 100". */
export function pointsText(t: Translate, grade: { score: number | null; maximum: number } | null): string {
  if (grade === null || grade.score === null) return t("grades.noScore");
  return t("grades.points", { score: numberText(t, grade.score), maximum: numberText(t, grade.maximum) });
}
