import { refusalSentence } from "../kernel/refusal.ts";
import { asKnownStatus, type KnownStatus, knownStatuses, type SessionMinutes } from "./attendance.ts";
import {
  type BreakdownRow,
  type Completion,
  earnedByMinutes,
  type GradeDivisor,
  type GradeWorking,
  type SessionWorth,
  type WorkedCompletion,
  workedCompletion,
  type WorkedFormula,
} from "./grade-working.ts";
import { type CommentWordsOf, gradeSentence, noScoreSentence, sumOf, whyNoScore } from "./grade-sentence.ts";

export type Denominator =
  /** Sessions held so far that count for the learner. */
  | { kind: "so-far" }
  /** All sessions planned for the learner, including coming ones. */
  | { kind: "planned" }
  /** A number fixed by the instructor, 1..1000. */
  | { kind: "fixed"; sessions: number };

/** How the credit of the sessions becomes points. Percentages are whole, 1..100, of full marks. */
export type Formula =
  | { kind: "mean" }
  /** The mean, but no points if it is below `percent`. */
  | { kind: "gate"; percent: number }
  /** Full marks if the mean is `percent` or more, else no points. */
  | { kind: "pass-fail"; percent: number }
  /** Full marks, minus `percent` of them for each session that earns nothing, and in proportion for one that earns a part. Never below 0. */
  | { kind: "points-off"; percent: number };

export type GradingRule = {
  /** Maximum of the gradebook column; an integer 1..100, which every LMS accepts. */
  points: number;
  /** The whole percentage of a session that each status earns; null leaves the session out. */
  credit: Readonly<Record<KnownStatus, number | null>>;
  /** Whether minutes decide what "present" and "late" earn. */
  worth: SessionWorth;
  comment: boolean;
  /** How many of the learner's worst sessions are dropped. Not for columns of single sessions. */
  dropLowest: number;
  /** Not for columns of single sessions. */
  denominator: Denominator;
  /** There is no score before this many sessions count; at least 1. */
  minimumSessions: number;
  /** Not for columns of single sessions. */
  formula: Formula;
  /** Not for columns of single sessions. */
  completion: Completion;
};

/** Language of comments, such as "de": that of the instructor who turned them on. English when left out. */
export type CommentLanguage = { commentLanguage?: string };

export type GradePolicy =
  | { kind: "no-grades" }
  /** One column "Attendance" for all sessions. */
  | ({ kind: "one-column" } & GradingRule & CommentLanguage)
  | ({ kind: "column-per-session" } & GradingRule & CommentLanguage);

export type Grading = Exclude<GradePolicy, { kind: "no-grades" }>;

/** How a single session's column is computed, whatever the policy says. */
const singleRule = {
  dropLowest: 0,
  denominator: { kind: "so-far" },
  minimumSessions: 1,
  formula: { kind: "mean" },
  completion: { kind: "score" },
} as const satisfies Partial<GradingRule>;

/** Defaults for policies that an earlier version stored. */
export const ruleDefaults = {
  ...singleRule,
  worth: { kind: "status" },
} as const satisfies Partial<GradingRule>;

export const defaultGradePolicy: Grading = {
  kind: "one-column",
  points: 100,
  credit: { PRESENT: 100, LATE: 80, ABSENT: 0, EXCUSED: null },
  comment: false,
  ...ruleDefaults,
};

/** What a grade needs to know of one session. */
export type GradedSession = {
  status: string;
  /** Left out if only the status counts. */
  minutes?: SessionMinutes;
};

export type Grade = {
  /** Points, at most two decimals. Null when too little is known: we send nothing, or clear an earlier score. */
  score: number | null;
  /** Such as "(2x100 + 1x80) / 3 = 93.33", or why there is no score. */
  explanation: string;
  /** Statuses that the policy doesn't know. They never count, but instructors see them. */
  uncounted: readonly string[];
  /** Null when the course gives no grades. */
  working: GradeWorking | null;
};

/** Whether this score completes the activity; true if no rule says otherwise. */
export function isCompleted({ working }: Pick<Grade, "working">): boolean {
  return working?.completion?.isReached ?? true;
}

/**
 * The grade of one learner from their sessions, in any order. Exact: counted in whole percents and rounded once, half up,
 * to two decimals.
 *
 * 1. Sessions of an uncredited status ("left out") or an unknown one are taken out as if they were not planned for this learner: they are
 *   in no divisor. The others count, by what their status earns or, where the policy says so and they are known, by minutes.
 * 2. Fewer countable sessions than `minimumSessions`: no score. Never 0.
 * 3. The divisor is the number that count ("so-far"), or what is planned or fixed less those taken out; never less than the number that
 *   count, so that a score never exceeds the points.
 * 4. A session in the divisor without a status (to come, or not marked) earns 0.
 * 5. `dropLowest` takes the worst out of sum and divisor: first those that earn 0 for want of a status, then the worst that count. One
 *   session always counts, so dropping never lowers a score.
 * 6. `formula` makes points of it. "points-off" divides by nothing: only sessions that count take off, and all of them may be dropped.
 * 7. Before `completion` is reached there is no score where the rule holds it back.
 *
 * A better status, or one more session attended (as long as no status earns more than PRESENT), never lowers it. With
 * "column-per-session" only credit, worth and points hold.
 * @param planned All sessions planned for this learner, past and coming, without cancelled ones.
 */
export function gradeOf(policy: GradePolicy, sessions: readonly GradedSession[], planned: number): Grade {
  if (policy.kind === "no-grades") {
    const explanation = refusalSentence("no-grades");
    return { score: null, explanation, uncounted: [], working: null };
  }
  const rule = policy.kind === "one-column" ? policy : { ...policy, ...singleRule };
  const uncounted = sessions.flatMap(({ status }) => (asKnownStatus(status) === null ? [status] : []));
  const working = workingOf(rule, sessions, uncounted.length, planned);
  if (working.noScore !== null) return { score: null, explanation: whyNoScore(working), uncounted, working };
  const score = scoreOf(rule, working);
  return { score, explanation: sumOf(working, score), uncounted, working };
}

/** The gradebook comment: one sentence under 200 characters in the policy's language, or why there is no score. */
export function commentOf(policy: GradePolicy, grade: Grade, textsOf: CommentWordsOf): string {
  const { score, explanation, working } = grade;
  if (policy.kind === "no-grades" || working === null) return explanation;
  const say = textsOf(policy.commentLanguage ?? "en");
  return score === null ? noScoreSentence(working, say) : gradeSentence(working, score, policy.points, say);
}

/** The grade in the column of one session. Of any policy, only credit, worth and points apply. */
export function gradeOfSession(policy: GradePolicy, sessions: readonly GradedSession[]): Grade {
  const single = policy.kind === "no-grades" ? policy : { ...policy, kind: "column-per-session" as const };
  return gradeOf(single, sessions, sessions.length);
}

function workingOf(
  rule: GradingRule,
  sessions: readonly GradedSession[],
  uncounted: number,
  planned: number,
): GradeWorking {
  const ofStatus = Map.groupBy(sessions, ({ status }) => status);
  const found = knownStatuses.flatMap((status) => {
    const own = ofStatus.get(status) ?? [];
    return own.length === 0 ? [] : [{ status, credit: rule.credit[status], own }];
  });
  const leftOut = found.flatMap(({ status, credit, own }) =>
    credit === null ? [{ status, count: own.length }] : [],
  );
  const terms = found
    .flatMap(({ status, credit, own }) => (credit === null ? [] : termsOfStatus(rule, status, credit, own)))
    .sort((a, b) => b.credit - a.credit);
  const counted = countIn(terms);
  const divisor =
    rule.formula.kind === "points-off"
      ? allThatCount(rule, counted)
      : divisorOf(rule, counted, countIn(leftOut) + uncounted, planned);
  const minimum = Math.max(1, rule.minimumSessions);
  const remaining = withDropped(terms, counted - Math.min(counted, divisor.sessions), rule.points);
  const completion = workedCompletion(rule.completion, terms, planned - countIn(leftOut) - uncounted);
  return {
    terms: remaining,
    counted,
    leftOut,
    uncounted,
    divisor,
    minimum,
    completion,
    noScore: whyNone(counted, minimum, completion),
    formula: workedFormula(rule, remaining, divisor.sessions),
  };
}

function whyNone(counted: number, minimum: number, completion: WorkedCompletion | null) {
  if (counted === 0) return "nothing-counts";
  if (counted < minimum) return "below-minimum";
  return completion?.before === "held" && !completion.isReached ? "held-back" : null;
}

/** One term for the sessions that earn what their status does, and one for each other credit that minutes earn. */
function termsOfStatus(
  rule: GradingRule,
  status: KnownStatus,
  credit: number,
  sessions: readonly GradedSession[],
): Term[] {
  const { worth } = rule;
  if (worth.kind === "status") return [{ status, credit, count: sessions.length }];
  const range = { full: rule.credit.PRESENT ?? 0, least: rule.credit.ABSENT ?? 0 };
  const countOf = new Map<number, number>();
  for (const { minutes } of sessions) {
    const earned = minutes === undefined ? credit : earnedByMinutes(worth, minutes, range);
    countOf.set(earned, (countOf.get(earned) ?? 0) + 1);
  }
  return [...countOf]
    .sort(([one], [other]) => other - one)
    .map(([earned, count]) => ({
      status,
      credit: earned,
      count,
      ...(earned === credit ? {} : { byMinutes: true as const }),
    }));
}

function scoreOf({ points }: GradingRule, { formula, terms, divisor }: GradeWorking): number {
  switch (formula.kind) {
    case "mean":
      return divided(earnedIn(terms) * points, 100 * divisor.sessions, "half-up");
    case "gate":
      return formula.isReached ? formula.mean : 0;
    case "pass-fail":
      return formula.isReached ? points : 0;
    case "points-off":
      return formula.left;
  }
}

function workedFormula(
  { formula, points }: GradingRule,
  terms: readonly BreakdownRow[],
  sessions: number,
): WorkedFormula {
  switch (formula.kind) {
    case "mean":
      return formula;
    case "gate":
    case "pass-fail": {
      const isReached = earnedIn(terms) >= formula.percent * sessions;
      // Rounded down, so a mean just below the needed one never looks as if it were reached.
      const mean =
        sessions === 0
          ? 0
          : divided(earnedIn(terms) * points, 100 * sessions, isReached ? "half-up" : "down");
      return { ...formula, isReached, mean, needed: divided(formula.percent * points, 100, "half-up") };
    }
    case "points-off": {
      const missed = terms.reduce(
        (sum, { credit, count, dropped }) => sum + (100 - credit) * (count - dropped),
        0,
      );
      const left = Math.max(0, 100 * 100 - formula.percent * missed);
      return {
        ...formula,
        full: points,
        off: terms.map(({ credit, count, dropped, byMinutes }) => ({
          points: divided(formula.percent * (100 - credit) * points, 100 * 100, "half-up"),
          count: count - dropped,
          ...(byMinutes === undefined ? {} : { byMinutes }),
        })),
        isUsedUp: formula.percent * missed > 100 * 100,
        left: divided(left * points, 100 * 100, "half-up"),
      };
    }
  }
}

function earnedIn(terms: readonly BreakdownRow[]): number {
  return terms.reduce((sum, { credit, count, dropped }) => sum + credit * (count - dropped), 0);
}

function allThatCount({ dropLowest }: GradingRule, counted: number): GradeDivisor {
  const dropped = Math.min(dropLowest, counted);
  return { sessions: counted - dropped, basis: "counted", of: counted, without: 0, dropped, open: 0 };
}

function divisorOf(rule: GradingRule, counted: number, takenOut: number, planned: number): GradeDivisor {
  const { denominator } = rule;
  const intended = denominator.kind === "fixed" ? denominator.sessions : planned;
  const isCounted = denominator.kind === "so-far" || intended - takenOut < counted;
  const all = isCounted ? counted : intended - takenOut;
  const dropped = Math.max(0, Math.min(rule.dropLowest, all - 1));
  return {
    sessions: all - dropped,
    basis: isCounted ? "counted" : denominator.kind,
    of: isCounted ? counted : intended,
    without: isCounted ? 0 : takenOut,
    dropped,
    open: Math.max(0, all - dropped - counted),
  };
}

type Term = Pick<BreakdownRow, "status" | "credit" | "count" | "byMinutes">;

function withDropped(terms: readonly Term[], drop: number, points: number): BreakdownRow[] {
  let left = drop;
  return terms
    .toReversed()
    .map((term) => {
      const dropped = Math.min(left, term.count);
      left -= dropped;
      return { ...term, points: divided(term.credit * points, 100, "half-up"), dropped };
    })
    .reverse();
}

function countIn(counts: readonly { count: number }[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** numerator / denominator, rounded to two decimals. Computes in whole numbers, so nothing is lost before rounding. */
function divided(numerator: number, denominator: number, round: "half-up" | "down"): number {
  const [above, below] = [BigInt(numerator), BigInt(denominator)];
  const hundredths = round === "down" ? (above * 100n) / below : (above * 200n + below) / (2n * below);
  return Number(hundredths) / 100;
}
