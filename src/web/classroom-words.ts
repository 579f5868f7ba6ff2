import type { Translate } from "./translate.ts";

/** In the reader's language; null for none. The stored sentence is for operators: it names settings and files of theirs. */
export function classroomProblemText(
  t: Translate,
  problem: string | null,
  code: string | null | undefined,
): string | null {
  if (problem === null || code == null) return problem;
  // Of other failures the English sentence is the stored one, with its values.
  if (t("language.code") === "en") return t.dynamic(`trouble.${code}`) ?? problem;
  return t.dynamic([`trouble.${code}`, `errors.${code}`]) ?? problem;
}
