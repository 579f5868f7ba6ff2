import type { KnownStatus } from "./attendance.ts";

/** When a learner has completed the activity, and what becomes of a score before that. */
export type Completion =
  /** With every score. */
  | { kind: "score" }
  /** With so many sessions attended, 1..1000. */
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

export function sameCompletion(one: Completion, other: Completion): boolean {
  if (one.kind === "score" || other.kind === "score") return one.kind === other.kind;
  if (one.before !== other.before) return false;
  if (one.kind === "sessions") return other.kind === "sessions" && one.sessions === other.sessions;
  return other.kind === "share" && one.percent === other.percent;
}

function sumOf(counts: readonly { count: number }[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}
