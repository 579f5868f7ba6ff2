import type { RosterSync } from "../rules/roster-sync.ts";
import type { MessageKey } from "../../../web/english.ts";
import type { Translate } from "../../../web/translate.ts";

/** Codes for which `rosterProblem` has sentences of its own. */
const own: ReadonlyMap<string, MessageKey> = new Map<string, MessageKey>([
  ["roster-not-told", "sections.roster.why.notListed"],
  ["lms-not-allowed", "sections.roster.why.notAllowed"],
  ["lms-token-refused", "sections.roster.why.notAllowed"],
  ["lms-not-found", "sections.roster.why.notFound"],
  ["unexpected", "sections.roster.why.unexpected"],
]);

/** In the reader's language; empty: nothing to say. English readers, and unknown codes, get what is stored. */
export function rosterProblemText(
  t: Translate,
  { problem, problemCode }: Pick<RosterSync, "problem" | "problemCode">,
): string {
  if (problem === null || problemCode === null || t("language.code") === "en") return problem ?? "";
  const key = own.get(problemCode);
  return key === undefined ? (t.dynamic(`errors.${problemCode}`) ?? problem) : t(key);
}
