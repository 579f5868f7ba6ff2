import type { KnownStatus } from "./attendance.ts";
import type { WorkedCompletion } from "./completion.ts";

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
      /** As the terms: what each of so many sessions takes off. */
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
