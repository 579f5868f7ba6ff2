import type { RosterSync } from "../rules/roster-sync.ts";
import type { MessageKey } from "../../../web/message-key.ts";
import type { Translate } from "../../../web/translate.ts";

/** Messages for the codes that `rosterProblem` has sentences of its own for. */
const own: ReadonlyMap<string, MessageKey> = new Map<string, MessageKey>([
  ["roster-not-told", "sections.roster.why.notTold"],
  ["lms-not-allowed", "sections.roster.why.notAllowed"],
  ["lms-token-refused", "sections.roster.why.notAllowed"],
  ["lms-not-found", "sections.roster.why.notFound"],
  ["unexpected", "sections.roster.why.unexpected"],
]);

/**
 * Why the list of people could not be read, in the reader's language; empty when there is nothing to say. English
 * readers get what is stored, and so does everybody where nothing is known of its code.
 */
export function rosterProblemText(
  t: Translate,
  { problem, problemCode }: Pick<RosterSync, "problem" | "problemCode">,
): string {
  if (problem === null || problemCode === null || t("language.code") === "en") return problem ?? "";
  const key = own.get(problemCode);
  return key === undefined ? (t.dynamic(`errors.${problemCode}`) ?? problem) : t(key);
}
