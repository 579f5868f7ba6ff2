import type { JobWork } from "../modules/operations/rules/job.ts";
import type { Clock } from "../kernel/clock.ts";

/** Stored work that a job follows; counts are over all processes. */
export type Backlog = {
  /** How much of what existed at a moment (ms) is due and not done. */
  countDue: (at: number) => Promise<number>;
  /** How much of what existed at a moment (ms) is not done, later retries included. */
  countLeft: (at: number) => Promise<number>;
  /** Left out where it is not known; then the difference of what is left counts. */
  countSince?: (since: number) => Promise<{ done: number; failed: number }>;
};

/** A run waits at most this long for what is due (ms). */
const waitMs = 20_000;
const pollMs = 250;

/**
 * Waits until what is due is done, by whichever process: workers are woken by what becomes due.
 * @param ending Aborted when this process is to end.
 * @returns how much was done and how much failed meanwhile, and how much still waits.
 */
export async function catchUp(
  { clock, ending }: { clock: Clock; ending: AbortSignal },
  { countDue, countLeft, countSince }: Backlog,
): Promise<JobWork> {
  const at = clock.now();
  const before = await countLeft(at);
  let due = await countDue(at);
  const idle = due === 0;
  for (let waited = 0; due > 0 && waited < waitMs && !ending.aborted; waited += pollMs) {
    await clock.sleep(pollMs, ending).catch(() => undefined);
    due = await countDue(at);
  }
  const waiting = idle ? before : await countLeft(at);
  if (countSince !== undefined) return { ...(await countSince(at)), waiting };
  return { done: Math.max(0, before - waiting), waiting };
}
