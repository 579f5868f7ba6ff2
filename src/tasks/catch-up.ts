import type { JobWork } from "../modules/operations/rules/job.ts";
import type { Clock } from "../kernel/clock.ts";

/** Work that workers drain, and that a job sees to; counted over all processes. */
export type Backlog = {
  /** How much of what was there at a moment (ms) is due and still to be done. */
  countDue: (at: number) => Promise<number>;
  /** How much of what was there at a moment (ms) is still to be done, also what is to be tried again later. */
  countLeft: (at: number) => Promise<number>;
  /** How much was done and how much failed since a moment (ms), where that is known; else what is left tells. */
  countSince?: (since: number) => Promise<{ done: number; failed: number }>;
  wake: () => void;
};

/** A run waits so long at most for what is due (ms); what takes longer goes on without it. */
const patience = 20_000;
const looksEvery = 250;

/**
 * Wakes those who work a backlog off, and waits a while until whichever process has dealt with what is due.
 * @param ending Aborted when this process is to end: then it waits no longer.
 * @returns how much was done and how much failed meanwhile, and how much still waits.
 */
export async function catchUp(
  { clock, ending }: { clock: Clock; ending: AbortSignal },
  { countDue, countLeft, countSince, wake }: Backlog,
): Promise<JobWork> {
  const at = clock.now();
  const before = await countLeft(at);
  let due = await countDue(at);
  const idle = due === 0;
  if (!idle) wake();
  for (let waited = 0; due > 0 && waited < patience && !ending.aborted; waited += looksEvery) {
    await clock.sleep(looksEvery, ending).catch(() => undefined);
    due = await countDue(at);
  }
  const waiting = idle ? before : await countLeft(at);
  if (countSince !== undefined) return { ...(await countSince(at)), waiting };
  return { done: Math.max(0, before - waiting), waiting };
}
