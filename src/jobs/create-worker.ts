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

export type WorkerOptions = {
  name: string;
  /** How many steps run side by side. */
  lanes: number;
  /** How long it sleeps at most (ms); other processes' work is found this way. */
  idleMs: number;
  /** Does one piece of work; false when nothing was due. */
  step: () => Promise<boolean>;
  /**
   * Before a step: waits until nobody has woken it for `quietMs`, but `atMostMs` at the longest. So whatever brings the
   * work comes first, and what comes together is worked off together.
   */
  gather?: { quietMs: number; atMostMs: number };
};

/** Makes a worker, which does nothing before it is started. */
export function createWorker(deps: { clock: Clock; logger: Logger }, options: WorkerOptions): Worker {
  const { clock, logger } = deps;
  const stopping = new AbortController();
  let sleepers = new AbortController();
  let lanes: Promise<void>[] = [];
  let wakes = 0;
  /** First and last wake since work was begun; null when nobody woke it. */
  let woken: { first: number; last: number } | null = null;

  let sleeping = false;
  const rest = async () => {
    const signal = AbortSignal.any([stopping.signal, sleepers.signal]);
    sleeping = true;
    await clock.sleep(options.idleMs, signal).catch(() => undefined);
  };
  const gather = async ({ quietMs, atMostMs }: NonNullable<WorkerOptions["gather"]>) => {
    while (woken !== null && !stopping.signal.aborted) {
      const left = Math.min(woken.last + quietMs, woken.first + atMostMs) - clock.now();
      if (left <= 0) break;
      await clock.sleep(left, stopping.signal).catch(() => undefined);
    }
    woken = null;
  };
  const work = async () => {
    while (!stopping.signal.aborted) {
      if (options.gather !== undefined) await gather(options.gather);
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
      const now = clock.now();
      woken = { first: woken?.first ?? now, last: now };
      // Of hundreds of wakes a second, most find nobody asleep.
      if (!sleeping) return;
      sleeping = false;
      const before = sleepers;
      sleepers = new AbortController();
      before.abort();
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(lanes);
    },
  };
}
