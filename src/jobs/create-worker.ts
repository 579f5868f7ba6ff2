import type { Clock } from "../kernel/clock.ts";
import { messageOf } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";

/** Something that works off what is due, sleeps when nothing is, and wakes up when told. */
export type Worker = {
  start: () => void;
  /** There may be something to do now. */
  wake: () => void;
  /** Takes no new work and resolves when what is in hand is finished. */
  stop: () => Promise<void>;
};

/**
 * @param step Does one piece of work; false when nothing was due.
 * @param lanes How many steps run side by side.
 * @param idleMs How long it sleeps at most; other processes' work is found this way.
 */
export function createWorker(
  deps: { clock: Clock; logger: Logger },
  options: { name: string; lanes: number; idleMs: number; step: () => Promise<boolean> },
): Worker {
  const { clock, logger } = deps;
  const stopping = new AbortController();
  let sleepers = new AbortController();
  let lanes: Promise<void>[] = [];
  let wakes = 0;

  const rest = async () => {
    const signal = AbortSignal.any([stopping.signal, sleepers.signal]);
    await clock.sleep(options.idleMs, signal).catch(() => undefined);
  };
  const work = async () => {
    while (!stopping.signal.aborted) {
      const seen = wakes;
      let worked = false;
      try {
        worked = await options.step();
      } catch (thrown) {
        logger.error(
          { worker: options.name, error: messageOf(thrown) },
          "a worker's step failed; it goes on",
        );
        await rest();
        continue;
      }
      // Woken while the step was looking: what it was woken for may have come after the look.
      if (!worked && seen === wakes) await rest();
    }
  };
  return {
    start: () => {
      if (lanes.length === 0) lanes = Array.from({ length: options.lanes }, work);
    },
    wake: () => {
      wakes += 1;
      const sleeping = sleepers;
      sleepers = new AbortController();
      sleeping.abort();
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(lanes);
    },
  };
}
