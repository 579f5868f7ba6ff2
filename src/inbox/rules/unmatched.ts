import { type Matchable, type Receipt, waitKey } from "./receipt.ts";

const minuteMs = 60_000;
/** Delays of tries (ms); the last one repeats. */
const retryDelaysMs = [5_000, 30_000, 5 * minuteMs, 30 * minuteMs, 360 * minuteMs];
/** From arrival to failed (ms). */
const givenUpAfterMs = 14 * 24 * 60 * minuteMs;

/** State of a webhook whose event, Space or user is unknown. The first of `waitsFor` names the reason. */
export function unmatchedOutcome(
  { receivedAt, attempts }: Pick<Receipt, "receivedAt" | "attempts">,
  { reason, waitsFor }: { reason: string; waitsFor: readonly Matchable[] },
  now: number,
) {
  const keyOf = (what: Matchable | undefined) => (what === undefined ? null : waitKey(what));
  const waits = {
    waitsFor: keyOf(waitsFor.find(({ kind }) => kind !== "user")),
    waitsForUser: keyOf(waitsFor.find(({ kind }) => kind === "user")),
    code: `${waitsFor[0]?.kind ?? "nothing"}-unknown`,
  };
  if (now - receivedAt > givenUpAfterMs)
    return { state: "failed", reason, nextTryAt: now, ...waits } as const;
  const delay = retryDelaysMs[Math.min(attempts, retryDelaysMs.length) - 1] ?? minuteMs;
  return { state: "unmatched", reason, nextTryAt: now + delay, ...waits } as const;
}
