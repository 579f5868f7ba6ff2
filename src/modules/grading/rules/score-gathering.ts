/**
 * - now: at once; gathered ones after a quiet moment.
 * - gathered: more about the same person is expected; one score is to cover it.
 * - regraded: after a change of the course, perhaps in a burst: after a quiet moment; gathered ones go on waiting.
 */
export type Sending = "now" | "gathered" | "regraded";

/** The longest wait for more about a person (ms). */
export const maxGatheringMs = 15_000;
/** The quiet time that ends a burst (ms). */
export const quietMs = 1_500;

/** When a newly waiting score is due (ms), and whether it gathers. */
export function dueFirst(sending: Sending, now: number): { nextTryAt: number; gathering: boolean } {
  const waits = { now: 0, gathered: maxGatheringMs, regraded: quietMs }[sending];
  return { nextTryAt: now + waits, gathering: waits > 0 };
}

/** When a score that gathers since `since` is due after another change (ms); null: unchanged. */
export function dueAgain(sending: Sending, since: number, now: number): number | null {
  if (sending === "regraded") return null;
  const atLast = since + maxGatheringMs;
  return sending === "gathered" ? atLast : Math.min(atLast, now + quietMs);
}
