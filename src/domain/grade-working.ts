import type { KnownStatus } from "./attendance.ts";

/** The sessions of one status that count, dropped ones included. */
export type BreakdownRow = {
  status: KnownStatus;
  /** Whole percent of a session that it earns. */
  credit: number;
  /** The same in the column's points, rounded for showing; the score is computed from `credit`. */
  points: number;
  count: number;
  /** How many of `count` were dropped as the learner's worst. */
  dropped: number;
};

/** By what the sum is divided, and why. */
export type GradeDivisor = {
  sessions: number;
  /**
   * counted: those that count so far, because the policy says so or because more of them count than were planned
   * or fixed · planned: all that are planned for the learner · fixed: a number that the instructor fixed.
   */
  basis: "counted" | "planned" | "fixed";
  /** What the basis names, before anything left it: so many counted, planned or fixed. */
  of: number;
  /** Left out or of unknown status, and so not in the divisor although planned or fixed; 0 for "counted". */
  without: number;
  /** Dropped as the worst, sessions to come included: one without a status counts 0 and goes first. */
  dropped: number;
  /** Sessions in the divisor that have no status yet, so that nothing was earned there. */
  open: number;
};

/** How a score came about, part by part, for pages that say it in words. */
export type GradeWorking = {
  /** Best first. */
  terms: readonly BreakdownRow[];
  /** Sessions that count, dropped ones included. */
  counted: number;
  /** Sessions of a status that the policy leaves out; statuses without any are not listed. */
  leftOut: readonly { status: KnownStatus; count: number }[];
  /** Sessions with a status that nobody documented. */
  uncounted: number;
  divisor: GradeDivisor;
  /** From how many countable sessions on there is a score. */
  minimum: number;
  /** Fewer count, so that there is no score; always when nothing counts. */
  belowMinimum: boolean;
};
