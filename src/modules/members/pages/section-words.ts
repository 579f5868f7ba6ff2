import type { RosterSync } from "../rules/roster.ts";
import type { Headcount } from "../sections.ts";
import type { MessageKey } from "../../../web/english.ts";
import { inList, numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";

/** "30 learners, 1 instructor" */
export function headcountText(t: Translate, { learners, instructors }: Headcount): string {
  const parts = [
    ...(learners > 0 ? [t("common.learnerCount", { count: learners, number: numberText(t, learners) })] : []),
    ...(instructors > 0
      ? [t("sections.instructors", { count: instructors, number: numberText(t, instructors) })]
      : []),
  ];
  return parts.length === 0 ? t("sections.nobody") : inList(t, parts);
}

/** Codes for which `rosterProblem` has sentences. */
const worded: ReadonlyMap<string, MessageKey> = new Map<string, MessageKey>([
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
  const key = worded.get(problemCode);
  return key === undefined ? (t.dynamic(`errors.${problemCode}`) ?? problem) : t(key);
}
