import type { KnownStatus, SessionMinutes } from "./attendance.ts";

/** What decides the credit of a session that the learner attended. */
export type SessionWorth =
  /** Their status. */
  | { kind: "status" }
  /** Their share of the session's planned length, or their status if their time isn't known. */
  | {
      kind: "minutes";
      /** The whole percentage of the session, 1..100, from which on it earns full credit ("present"). */
      fullFrom: number;
      /** This many missing minutes cost nothing (0..60). */
      tolerance: number;
      /** What a session earns below `fullFrom`: credit in proportion, or nothing. */
      below: "share" | "nothing";
      /** Whether minutes with the Space hidden behind another tab count. */
      hidden: "counted" | "taken-off";
    };

export type MinutesWorth = Extract<SessionWorth, { kind: "minutes" }>;

/**
 * The whole percentage that minutes earn, from the whole minutes that pages show. Below `fullFrom` it is rounded down, so
 * full marks always mean that `fullFrom` was reached.
 * @param full What "present" earns. @param least What "absent" earns, because being there never earns less.
 */
export function earnedByMinutes(
  { fullFrom, tolerance, below, hidden }: MinutesWorth,
  minutes: SessionMinutes,
  { full, least }: { full: number; least: number },
): number {
  const away = hidden === "taken-off" ? (minutes.hidden ?? 0) : 0;
  const present = minutes.present - away;
  const counted = present === 0 ? 0 : Math.min(minutes.of, present + tolerance);
  if (100 * counted >= fullFrom * minutes.of) return full;
  const share = below === "nothing" ? 0 : Math.floor((full * 100 * counted) / (fullFrom * minutes.of));
  return Math.max(least, share);
}

/** When a learner has completed the activity, and what happens to a score before that. */
export type Completion =
  /** With every score. */
  | { kind: "score" }
  /** After this many attended sessions, 1..1000. */
  | { kind: "sessions"; sessions: number; before: BeforeCompletion }
  /** After attending a whole percentage, 1..100, of all sessions planned for the learner, including coming ones. */
  | { kind: "share"; percent: number; before: BeforeCompletion };

/** sent: the score is sent as "in progress", which most LMSs ignore · held: no score is sent, and an earlier one is cleared. */
export type BeforeCompletion = "sent" | "held";

export type WorkedCompletion = {
  /** Sessions marked present or late. */
  attended: number;
  needed: number;
  /** The number of sessions that `needed` is a share of; null if the rule is a fixed number. */
  of: number | null;
  isReached: boolean;
  before: BeforeCompletion;
};

/**
 * Null if every score completes. Statuses that the policy leaves out don't count here either. Minutes don't matter, and dropped sessions
 * count. @param counts Sessions that count, by status. @param planned Sessions planned for the learner, without those left out.
 */
export function workedCompletion(
  completion: Completion,
  counts: readonly { status: KnownStatus; count: number }[],
  planned: number,
): WorkedCompletion | null {
  if (completion.kind === "score") return null;
  const { before } = completion;
  const attended = sumOf(counts.filter(({ status }) => status === "PRESENT" || status === "LATE"));
  if (completion.kind === "sessions") {
    const needed = completion.sessions;
    return { attended, needed, of: null, isReached: attended >= needed, before };
  }
  const of = Math.max(sumOf(counts), planned);
  const needed = Math.ceil((completion.percent * of) / 100);
  return { attended, needed, of, isReached: attended >= needed, before };
}

function sumOf(counts: readonly { count: number }[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

export type BreakdownRow = {
  status: KnownStatus;
  /** Whole percentage of a session. */
  credit: number;
  /** Minutes decided the credit, and it differs from the status's. Left out otherwise. */
  byMinutes?: true;
  /** The credit in the column's points, rounded for showing. The score is computed from `credit`. */
  points: number;
  count: number;
  /** How many of `count` were dropped as the worst ones. */
  dropped: number;
};

export type GradeDivisor = {
  sessions: number;
  /** counted: by policy, or more sessions count than were planned or fixed · planned: for the learner · fixed: by the instructor. */
  basis: "counted" | "planned" | "fixed";
  /** The number before any were taken out. */
  of: number;
  /** Sessions planned or fixed, but left out or of unknown status; 0 for "counted". */
  without: number;
  /** Sessions dropped as the worst. Those without a status, including coming ones, go first. */
  dropped: number;
  /** Sessions in the divisor without a status; they earn nothing. */
  open: number;
};

/** The result of the policy's formula for one learner. Points are the column's, rounded to two decimals. */
export type WorkedFormula =
  | { kind: "mean" }
  | {
      kind: "gate" | "pass-fail";
      percent: number;
      /** Decided before rounding. */
      isReached: boolean;
      /** The mean in points, rounded down if it isn't enough. */
      mean: number;
      /** `percent` in points. */
      needed: number;
    }
  | {
      kind: "points-off";
      percent: number;
      full: number;
      /** How many sessions take off how many points each. */
      off: readonly { points: number; count: number; byMinutes?: true }[];
      /** More points would be taken off than there are. */
      isUsedUp: boolean;
      left: number;
    };

export type GradeWorking = {
  /** The best credit first. */
  terms: readonly BreakdownRow[];
  counted: number;
  /** Sessions with statuses that the policy leaves out. Statuses without sessions aren't listed. */
  leftOut: readonly { status: KnownStatus; count: number }[];
  /** Sessions with an undocumented status. */
  uncounted: number;
  divisor: GradeDivisor;
  /** How many sessions must count before there is a score. */
  minimum: number;
  /** Null if every score completes the activity. */
  completion: WorkedCompletion | null;
  /** below-minimum: too few sessions count · held-back: the activity isn't completed yet. Null: there is a score. */
  noScore: "nothing-counts" | "below-minimum" | "held-back" | null;
  formula: WorkedFormula;
};
