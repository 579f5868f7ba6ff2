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

/** What people choose from: percent, and minutes. */
export const presentShares = [10, 25, 50, 60, 75, 80, 90] as const;
export const lateMinutes = [5, 10, 15, 20, 30] as const;

export const defaultUnplannedRule: UnplannedRule = { answer: "ask", presentFrom: 50, lateAfter: 10 };

/** What the rule answers about a class, so that it never decides one that waits already. */
export function answerFor(rule: UnplannedRule, { startsAt }: { startsAt: number }): UnplannedAnswer {
  return startsAt >= (rule.since ?? 0) ? rule.answer : "ask";
}

/** A rule as it is saved: another answer holds from now on. */
export function ruleFrom(rule: UnplannedRule, before: UnplannedRule, now: number): UnplannedRule {
  const { since } = before.answer === rule.answer ? before : { since: now };
  return { ...rule, ...(since === undefined ? {} : { since }) };
}
