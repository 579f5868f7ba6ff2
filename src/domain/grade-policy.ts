import { asKnownStatus, type KnownStatus } from "./attendance.ts";

/** By how many sessions the sum is divided. */
export type Denominator =
  /** Those held so far that count for the learner. */
  | { kind: "so-far" }
  /** All that are planned for the learner, the coming ones included. */
  | { kind: "planned" }
  /** A number that the instructor fixed, 1..1000. */
  | { kind: "fixed"; sessions: number };

/** How sessions make a grade. */
export type GradingRule = {
  /** Maximum of the gradebook column; an integer 1..100, which every LMS accepts. */
  points: number;
  /** Whole percent of a session that a status earns; null leaves the session out. */
  credit: Readonly<Record<KnownStatus, number | null>>;
  /** Whether the explanation goes along as the grade's comment. */
  comment: boolean;
  /** So many of the learner's worst sessions are left out; 0 for none. Not for columns of single sessions. */
  dropLowest: number;
  /** Not for columns of single sessions. */
  denominator: Denominator;
  /** Nobody gets a score before so many of their sessions count; at least 1. */
  minimumSessions: number;
};

/** How a course turns attendance into a grade. */
export type GradePolicy =
  | { kind: "no-grades" }
  /** One column "Attendance" for all sessions. */
  | ({ kind: "one-column" } & GradingRule)
  /** A column of its own for each session, and none for all together. */
  | ({ kind: "column-per-session" } & GradingRule);

/** A policy that gives grades. */
export type Grading = Exclude<GradePolicy, { kind: "no-grades" }>;

/** What policies of earlier versions lack. */
export const unsaidRule = {
  dropLowest: 0,
  denominator: { kind: "so-far" },
  minimumSessions: 1,
} as const satisfies Partial<GradingRule>;

/** What a course has until an instructor changes it. */
export const defaultGradePolicy: GradePolicy = {
  kind: "one-column",
  points: 100,
  credit: { PRESENT: 100, LATE: 80, ABSENT: 0, EXCUSED: null },
  comment: false,
  ...unsaidRule,
};

/** A computed grade. */
export type Grade = {
  /** Points, at most two decimals; null when nothing countable is known. */
  score: number | null;
  /** How it came about, such as "(2x100 + 1x80) / 3 = 93.33". */
  explanation: string;
  /** Statuses the policy does not know; they never count and are shown to the instructor. */
  uncounted: readonly string[];
};

/**
 * The grade of one learner from the statuses of their sessions. Exact: counted in whole percents and rounded
 * once, half up, to two decimals. The order of the statuses does not matter.
 */
export function gradeOf(policy: GradePolicy, statuses: readonly string[]): Grade {
  if (policy.kind === "no-grades")
    return { score: null, explanation: "This course gives no grades.", uncounted: [] };
  const uncounted: string[] = [];
  const sessionsByCredit = new Map<number, number>();
  for (const status of statuses) {
    const known = asKnownStatus(status);
    if (known === null) {
      uncounted.push(status);
      continue;
    }
    const credit = policy.credit[known];
    if (credit !== null) sessionsByCredit.set(credit, (sessionsByCredit.get(credit) ?? 0) + 1);
  }
  const terms = [...sessionsByCredit].sort(([a], [b]) => b - a);
  const sessions = terms.reduce((sum, [, count]) => sum + count, 0);
  if (sessions === 0) return { score: null, explanation: "No session counts yet.", uncounted };
  const percents = terms.reduce((sum, [credit, count]) => sum + credit * count, 0);
  const score = dividedHalfUp(percents * policy.points, 100 * sessions);
  const sum = terms.map(([credit, count]) => `${count}x${pointsOf(credit, policy.points)}`).join(" + ");
  const left = terms.length > 1 ? `(${sum})` : sum;
  return { score, explanation: `${left} / ${sessions} = ${score}`, uncounted };
}

function pointsOf(credit: number, points: number): number {
  return dividedHalfUp(credit * points, 100);
}

/** numerator / denominator rounded half up to two decimals, in whole numbers so that nothing is lost before. */
function dividedHalfUp(numerator: number, denominator: number): number {
  const hundredths = (BigInt(numerator) * 200n + BigInt(denominator)) / (2n * BigInt(denominator));
  return Number(hundredths) / 100;
}
