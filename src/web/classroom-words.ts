import type { Translate } from "./translate.ts";

/**
 * Why the classroom did not do something, in the reader's language; null when nothing is wrong. English readers get the
 * stored sentence, which is more exact (it names what was asked for), and so does everybody where its code is not known.
 */
export function classroomProblemText(
  t: Translate,
  problem: string | null,
  code: string | null | undefined,
): string | null {
  if (problem === null || code == null || t("language.code") === "en") return problem;
  return t.dynamic([`trouble.${code}`, `errors.${code}`]) ?? problem;
}
