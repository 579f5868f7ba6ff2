/** ask: instructors are asked · always: a class with staff of the course becomes a session automatically · never: no one is asked. */
export const unplannedAnswers = ["ask", "always", "never"] as const;
type UnplannedAnswer = (typeof unplannedAnswers)[number];

/** How an unplanned class is treated. */
export type UnplannedRule = {
  answer: UnplannedAnswer;
  /** A person counts as present from this share of the class; percent. */
  presentFrom: number;
  /** A person who came later than this is late; minutes. */
  lateAfter: number;
  /** Its answer holds for classes that begin from here on (ms); left out: for all. */
  since?: number;
};

/** What people choose from: percent, and minutes. */
export const presentShares = [10, 25, 50, 60, 75, 80, 90] as const;
export const lateMinutes = [5, 10, 15, 20, 30] as const;

export const defaultUnplannedRule: UnplannedRule = { answer: "ask", presentFrom: 50, lateAfter: 10 };

/** The rule's answer about a class; a class from before the rule is still asked about. */
export function answerFor(rule: UnplannedRule, { startsAt }: { startsAt: number }): UnplannedAnswer {
  return startsAt >= (rule.since ?? 0) ? rule.answer : "ask";
}

/** A rule as it is saved: another answer holds from now on. */
export function ruleFrom(rule: UnplannedRule, before: UnplannedRule, now: number): UnplannedRule {
  const { since } = before.answer === rule.answer ? before : { since: now };
  return { ...rule, ...(since === undefined ? {} : { since }) };
}
