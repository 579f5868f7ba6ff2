import type { KnownStatus } from "./attendance.ts";

export type BreakdownRow = {
  status: KnownStatus;
  /** Whole percent of a session. */
  credit: number;
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
  /** Fewer count, so there is no score; always when nothing counts. */
  belowMinimum: boolean;
};
