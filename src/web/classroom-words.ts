import type { Translate } from "./translate.ts";

/** In the reader's language; null for none. English readers get the stored sentence, which says more. */
export function classroomProblemText(
  t: Translate,
  problem: string | null,
  code: string | null | undefined,
): string | null {
  if (problem === null || code == null || t("language.code") === "en") return problem;
  return t.dynamic([`trouble.${code}`, `errors.${code}`]) ?? problem;
}
