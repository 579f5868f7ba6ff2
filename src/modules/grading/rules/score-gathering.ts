/**
 * When a score that is wanted is sent.
 * - now: as soon as it can be; what waited for more goes out when nothing has come for a moment.
 * - gathered: more about the same person is expected in a moment, and one score is to say it all.
 * - regraded: something of the course has changed, perhaps in the middle of a burst about its people. It goes out when nothing
 *   has come for a moment, and what waits for more goes on waiting: who regrades does not know what is expected about whom.
 */
export type Sending = "now" | "gathered" | "regraded";

/** Scores wait for more about the same person for so long (ms) at most. */
export const gatheredFor = 15_000;
/** After so long (ms) without anything more about a person a burst is over. */
export const quietFor = 1_500;

/** When a score is due (ms) that begins to wait, and whether more may still be gathered into it. */
export function dueFirst(sending: Sending, now: number): { nextTryAt: number; gathering: boolean } {
  const waits = { now: 0, gathered: gatheredFor, regraded: quietFor }[sending];
  return { nextTryAt: now + waits, gathering: waits > 0 };
}

/** When a score is due (ms) that gathers since `since` and is wanted once more; null where that stays as it is. */
export function dueAgain(sending: Sending, since: number, now: number): number | null {
  if (sending === "regraded") return null;
  const atLast = since + gatheredFor;
  return sending === "gathered" ? atLast : Math.min(atLast, now + quietFor);
}
