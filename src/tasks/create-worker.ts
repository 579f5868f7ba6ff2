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
  /** How long it sleeps at most (ms), when nobody wakes it. */
  idleMs: number;
  /** Does one piece of work; false when nothing was due. `ending` is aborted when the worker is to stop. */
  step: (ending: AbortSignal) => Promise<boolean>;
  /**
   * Before a step: waits until nobody has woken it for `quietMs`, but `atMostMs` at the longest. So whatever brings the
   * work comes first, and what comes together is worked off together.
   */
  gather?: { quietMs: number; atMostMs: number };
};

/** Of a worker that is woken when something is due (`work.ts`): it looks by itself in case that was missed (ms). */
export const untilWoken = 10 * 60_000;

const firstRest = 2_000;
/** A lane whose steps go on failing rests for longer and longer, up to this (ms): it finds out soon that all is well. */
const longestRest = 5_000;
/** A worker that goes on failing says so once in this time (ms). */
const toldEvery = 60_000;

/** Makes a worker, which does nothing before it is started. */
export function createWorker(deps: { clock: Clock; logger: Logger }, options: WorkerOptions): Worker {
  const { clock } = deps;
  const stopping = new AbortController();
  let sleepers = new AbortController();
  let lanes: Promise<void>[] = [];
  let wakes = 0;
  /** First and last wake since work was begun; null when nobody woke it. */
  let woken: { first: number; last: number } | null = null;

  let sleeping = false;
  const rest = async (ms = options.idleMs) => {
    const signal = AbortSignal.any([stopping.signal, sleepers.signal]);
    sleeping = true;
    await clock.sleep(ms, signal).catch(() => undefined);
  };
  const log = createFailureLog(deps, options.name);
  const gather = async ({ quietMs, atMostMs }: NonNullable<WorkerOptions["gather"]>) => {
    while (woken !== null && !stopping.signal.aborted) {
      const left = Math.min(woken.last + quietMs, woken.first + atMostMs) - clock.now();
      if (left <= 0) break;
      await clock.sleep(left, stopping.signal).catch(() => undefined);
    }
    woken = null;
  };
  const work = async () => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      if (options.gather !== undefined) await gather(options.gather);
      const seen = wakes;
      let worked = false;
      try {
        worked = await options.step(stopping.signal);
        if (failures > 0) log.works();
        failures = 0;
      } catch (thrown) {
        failures += 1;
        log.failed(thrown);
        const shortest = Math.min(options.idleMs, firstRest);
        await rest(Math.min(shortest * 2 ** Math.min(failures - 1, 10), longestRest));
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

/** Tells of failures at once, and then once a minute how many there were: a store that is away fails every step. */
function createFailureLog({ clock, logger }: { clock: Clock; logger: Logger }, worker: string) {
  let toldAt = -Infinity;
  let untold = 0;
  return {
    failed: (thrown: unknown): void => {
      untold += 1;
      const facts = { worker, error: messageOf(thrown), failures: untold };
      if (clock.now() < toldAt + toldEvery) {
        logger.debug(facts, "a worker's step failed again");
        return;
      }
      logger.error(facts, "a worker's step failed; it goes on");
      toldAt = clock.now();
      untold = 0;
    },
    /** A lane that had failed does not any more. */
    works: (): void => {
      if (untold > 0) logger.info({ worker, failures: untold }, "a worker works again");
      untold = 0;
    },
  };
}
