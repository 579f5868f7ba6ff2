import { knownStatuses } from "../../../domain/attendance.ts";
import type { Denominator, Formula, GradePolicy, Grading } from "../../../domain/grade-policy.ts";
import type { Completion, SessionWorth } from "../../../domain/grade-working.ts";
import { inList } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";

/** In one order; the audit trail keeps them, and a change shows those that differ. */
export function policyWords(t: Translate, policy: GradePolicy): string[] {
  if (policy.kind === "no-grades") return [t("grading.policy.columns.no-grades")];
  return [
    t(`grading.policy.columns.${policy.kind}`, { count: policy.points }),
    creditWords(t, policy),
    ...(policy.worth.kind === "minutes" ? [worthWords(t, policy.worth)] : []),
    ...(policy.kind === "one-column" ? optionWords(t, policy) : []),
    ...(policy.comment ? [t("grading.policy.comment")] : []),
  ];
}

export function creditWords(t: Translate, { credit }: Pick<Grading, "credit">): string {
  const parts = knownStatuses.map((one) => {
    const status = t(`grading.statuses.${one}`);
    const percent = credit[one];
    return percent === null
      ? t("grading.policy.leftOut", { status })
      : t("grading.policy.credit", { status, percent });
  });
  return `${inList(t, parts)}.`;
}

export function worthWords(t: Translate, worth: SessionWorth): string {
  if (worth.kind === "status") return t("grading.policy.worth.status");
  const { fullFrom: percent, tolerance: count, below, hidden } = worth;
  return [
    t(`grading.policy.worth.minutes.${below}`, { percent }),
    ...(count === 0 ? [] : [t("grading.policy.worth.tolerance", { count })]),
    ...(hidden === "taken-off" ? [t("grading.policy.worth.hidden")] : []),
    t("grading.policy.worth.unknown"),
  ].join(" ");
}

export function denominatorWords(t: Translate, denominator: Denominator): string {
  const count = denominator.kind === "fixed" ? denominator.sessions : 0;
  return t(`grading.policy.denominator.${denominator.kind}`, { count });
}

export function formulaWords(t: Translate, formula: Formula): string {
  const percent = formula.kind === "mean" ? 0 : formula.percent;
  return t(`grading.policy.formula.${formula.kind}`, { percent });
}

/** What completes the activity, and what becomes of the grade before. */
export function completionWords(t: Translate, completion: Completion): string {
  if (completion.kind === "score") return t("grading.policy.completion.score");
  const what =
    completion.kind === "sessions"
      ? t("grading.policy.completion.sessions", { count: completion.sessions })
      : t("grading.policy.completion.share", { percent: completion.percent });
  return `${what} ${t(`grading.policy.completion.before.${completion.before}`)}`;
}

function optionWords(t: Translate, policy: Grading): string[] {
  const { denominator, dropLowest, minimumSessions, formula, completion } = policy;
  // Points are taken off for what was missed: nothing is divided.
  const words = formula.kind === "points-off" ? [] : [denominatorWords(t, denominator)];
  if (formula.kind !== "mean") words.push(formulaWords(t, formula));
  if (dropLowest > 0) words.push(t("grading.policy.dropLowest", { count: dropLowest }));
  if (minimumSessions > 1) words.push(t("grading.policy.minimum", { count: minimumSessions }));
  if (completion.kind !== "score") words.push(completionWords(t, completion));
  return words;
}
