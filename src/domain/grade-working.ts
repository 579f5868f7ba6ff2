import type { KnownStatus, SessionMinutes } from "./attendance.ts";

/** What a session earns that the learner was in. */
export type SessionWorth =
  /** What their status earns. */
  | { kind: "status" }
  /** Their share of the session's planned length; what their status earns where that is not known. */
  | {
      kind: "minutes";
      /** Whole percent of the session, 1..100, from which on it earns all that "present" does. */
      fullFrom: number;
      /** This many missing minutes cost nothing; 0..60. */
      tolerance: number;
      /** Below `fullFrom` it earns in proportion, or nothing. */
      below: "share" | "nothing";
      /** Minutes with the Space hidden behind another tab count, or do not. */
      hidden: "counted" | "taken-off";
    };

export type MinutesWorth = Extract<SessionWorth, { kind: "minutes" }>;

/**
 * The whole percent that minutes earn, from the whole minutes that are shown. Below `fullFrom` it is rounded down, so
 * full marks mean that it was reached.
 * @param full What "present" earns. @param least What "absent" earns: being there never earns less.
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
  /** With this many sessions attended, 1..1000. */
  | { kind: "sessions"; sessions: number; before: BeforeCompletion }
  /** With a whole percent, 1..100, of all sessions planned for the learner, coming ones included. */
  | { kind: "share"; percent: number; before: BeforeCompletion };

/** sent: as "in progress", which most LMSs do not read · held: no score is sent, and one sent earlier is cleared. */
export type BeforeCompletion = "sent" | "held";

export type WorkedCompletion = {
  /** Sessions with Present or Late. */
  attended: number;
  needed: number;
  /** Sessions that `needed` is a share of; null for a number. */
  of: number | null;
  isReached: boolean;
  before: BeforeCompletion;
};

/**
 * Null where every score completes. Statuses that the policy leaves out count neither way, as in the score; minutes do
 * not matter, and dropped sessions count.
 * @param counts Sessions that count, by status. @param planned Those planned for the learner without what is left out.
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
  /** Whole percent of a session. */
  credit: number;
  /** The credit is that of minutes and differs from the status's. Left out otherwise. */
  byMinutes?: true;
  /** The same in the column's points, rounded for showing; the score is computed from `credit`. */
  points: number;
  count: number;
  /** How many of `count` were dropped as the worst. */
  dropped: number;
};

export type GradeDivisor = {
  sessions: number;
  /** counted: by the policy, or because more count than were planned or fixed · planned: for the learner · fixed: by the instructor. */
  basis: "counted" | "planned" | "fixed";
  /** The number before anything was taken out. */
  of: number;
  /** Planned or fixed, but left out or of unknown status; 0 for "counted". */
  without: number;
  /** Dropped as the worst; sessions without a status, coming ones included, go first. */
  dropped: number;
  /** Sessions in the divisor without a status, which earn nothing. */
  open: number;
};

/** What became of the policy's formula for one learner. Points are the column's, rounded to two decimals. */
export type WorkedFormula =
  | { kind: "mean" }
  | {
      kind: "gate" | "pass-fail";
      percent: number;
      /** Compared before rounding. */
      isReached: boolean;
      /** Points of the mean; rounded down where it is not enough. */
      mean: number;
      /** Points of `percent`. */
      needed: number;
    }
  | {
      kind: "points-off";
      percent: number;
      full: number;
      /** As the terms: what each of this many sessions takes off. */
      off: readonly { points: number; count: number; byMinutes?: true }[];
      /** More was to be taken off than there is. */
      isUsedUp: boolean;
      left: number;
    };

export type GradeWorking = {
  /** Best first. */
  terms: readonly BreakdownRow[];
  counted: number;
  /** Sessions of statuses the policy leaves out; statuses without any are not listed. */
  leftOut: readonly { status: KnownStatus; count: number }[];
  /** Sessions of an undocumented status. */
  uncounted: number;
  divisor: GradeDivisor;
  /** Countable sessions needed for a score. */
  minimum: number;
  /** Null where every score completes the activity. */
  completion: WorkedCompletion | null;
  /** below-minimum: fewer sessions count than are needed · held-back: until the activity is completed. Null: there is a score. */
  noScore: "nothing-counts" | "below-minimum" | "held-back" | null;
  formula: WorkedFormula;
};
