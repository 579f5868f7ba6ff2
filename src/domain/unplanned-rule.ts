/** ask: instructors are asked · always: a class with staff of the course becomes a session by itself · never: nobody is asked. */
export const unplannedAnswers = ["ask", "always", "never"] as const;
type UnplannedAnswer = (typeof unplannedAnswers)[number];

/** How a class that nobody planned is treated. */
export type UnplannedRule = {
  answer: UnplannedAnswer;
  /** Whoever was there for at least this share of the class was there; percent. */
  presentFrom: number;
  /** Whoever came later than this is late; minutes. */
  lateAfter: number;
  /** Its answer holds for classes that begin from here on (ms); left out: for all. */
  since?: number;
};

/** Of an institution: what holds in courses that say nothing, or in all of them. Records of earlier versions lack the lock. */
export type InstitutionUnplanned = UnplannedRule & { locked?: boolean };

/** What people choose from: percent, and minutes. */
export const presentShares = [10, 25, 50, 60, 75, 80, 90] as const;
export const lateMinutes = [5, 10, 15, 20, 30] as const;

export const defaultUnplannedRule: UnplannedRule = { answer: "ask", presentFrom: 50, lateAfter: 10 };

/** The institution's where it is locked, else the course's own, else the institution's, else ours. */
export function unplannedRuleOf(
  own: UnplannedRule | null | undefined,
  institutions: InstitutionUnplanned | null | undefined,
): UnplannedRule {
  const { answer, presentFrom, lateAfter, since } =
    institutions?.locked === true ? institutions : (own ?? institutions ?? defaultUnplannedRule);
  return { answer, presentFrom, lateAfter, ...(since === undefined ? {} : { since }) };
}

/** What the rule answers about a class, so that it never decides one that waits already. */
export function answerFor(rule: UnplannedRule, { startsAt }: { startsAt: number }): UnplannedAnswer {
  return startsAt >= (rule.since ?? 0) ? rule.answer : "ask";
}

/** A rule as it is saved: another answer holds from now on. */
export function ruleFrom<Rule extends UnplannedRule>(
  rule: Rule,
  before: UnplannedRule | null | undefined,
  now: number,
): Rule {
  const known = before ?? defaultUnplannedRule;
  const { since } = known.answer === rule.answer ? known : { since: now };
  return { ...rule, ...(since === undefined ? {} : { since }) };
}

/** As posted by a form; null for what it does not offer. */
export function readUnplannedRule(posted: {
  answer: string;
  presentFrom: string;
  lateAfter: string;
}): UnplannedRule | null {
  const answer = unplannedAnswers.find((one) => one === posted.answer);
  const presentFrom = presentShares.find((one) => String(one) === posted.presentFrom);
  const lateAfter = lateMinutes.find((one) => String(one) === posted.lateAfter);
  if (answer === undefined || presentFrom === undefined || lateAfter === undefined) return null;
  return { answer, presentFrom, lateAfter };
}

export function sameRule(one: UnplannedRule, other: UnplannedRule): boolean {
  return (
    one.answer === other.answer && one.presentFrom === other.presentFrom && one.lateAfter === other.lateAfter
  );
}
