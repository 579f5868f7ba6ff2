import { type Clock, hourMs } from "../kernel/clock.ts";
import { messageOf } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";

/** Works off what is due and sleeps when nothing is. */
export type Worker = ReturnType<typeof createWorker>;

export type WorkerOptions = {
  name: string;
  lanes: number;
  /**
   * Does one piece of work; false when nothing was due, or the longest sleep until it checks again (ms). `ending` aborts when the
   * worker is to stop.
   */
  step: (ending: AbortSignal) => Promise<boolean | number>;
  /** A step begins once nobody has woken it for `quietMs`, at the latest after `maxWaitMs`: requests go first. */
  gather?: { quietMs: number; maxWaitMs: number };
};

/** How long a worker that found nothing sleeps unless it is woken (ms); `work.ts` wakes it when something is due. */
const longestSleepMs = hourMs;

const firstRestMs = 2_000;
/** Pauses of a lane whose steps keep failing grow up to this (ms): it soon notices recovery. */
const maxRestMs = 5_000;
/** Failures are logged at most this often (ms). */
const logEveryMs = 60_000;

/** Reason of every wake: made once, as an error with its stack costs more than the wake. */
const woken = new Error("woken");

/** The worker does nothing before `start`. */
export function createWorker(deps: { clock: Clock; logger: Logger }, options: WorkerOptions) {
  const { clock } = deps;
  const stopping = new AbortController();
  let sleepers = new AbortController();
  let lanes: Promise<void>[] = [];
  let wakes = 0;
  /** First and last wake since the last step; null for none. */
  let recentWakes: { first: number; last: number } | null = null;

  let sleeping = false;
  const rest = async (ms: number) => {
    const signal = AbortSignal.any([stopping.signal, sleepers.signal]);
    sleeping = true;
    await clock.sleep(ms, signal).catch(() => undefined);
  };
  const log = createFailureLog(deps, options.name);
  const gather = async ({ quietMs, maxWaitMs }: NonNullable<WorkerOptions["gather"]>) => {
    while (recentWakes !== null && !stopping.signal.aborted) {
      const left = Math.min(recentWakes.last + quietMs, recentWakes.first + maxWaitMs) - clock.now();
      if (left <= 0) break;
      await clock.sleep(left, stopping.signal).catch(() => undefined);
    }
    recentWakes = null;
  };
  const work = async () => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      if (options.gather !== undefined) await gather(options.gather);
      const seen = wakes;
      let worked: boolean | number = false;
      try {
        worked = await options.step(stopping.signal);
        if (failures > 0) log.works();
        failures = 0;
      } catch (thrown) {
        failures += 1;
        log.failed(thrown);
        // No wake ends this pause: while they keep coming, a broken store would be asked without a break.
        const pauseMs = Math.min(firstRestMs * 2 ** Math.min(failures - 1, 10), maxRestMs);
        await clock.sleep(pauseMs, stopping.signal).catch(() => undefined);
        continue;
      }
      // A wake during the step may be about work that came after the step looked.
      if (worked === true || seen !== wakes) continue;
      await rest(worked === false ? longestSleepMs : worked);
    }
  };
  return {
    start: () => {
      if (lanes.length === 0) lanes = Array.from({ length: options.lanes }, work);
    },
    wake: () => {
      wakes += 1;
      const now = clock.now();
      recentWakes = { first: recentWakes?.first ?? now, last: now };
      // Most of hundreds of wakes a second find nobody asleep.
      if (!sleeping) return;
      sleeping = false;
      const before = sleepers;
      sleepers = new AbortController();
      before.abort(woken);
    },
    /** Takes no new work; resolves when what is running is finished. */
    stop: async () => {
      stopping.abort();
      await Promise.all(lanes);
    },
  };
}

/** Logs the first failure, then a count once a minute: an unreachable store fails every step. */
function createFailureLog({ clock, logger }: { clock: Clock; logger: Logger }, worker: string) {
  let loggedAt = -Infinity;
  let unlogged = 0;
  return {
    failed: (thrown: unknown): void => {
      unlogged += 1;
      const facts = { worker, error: messageOf(thrown), failures: unlogged };
      if (clock.now() < loggedAt + logEveryMs) {
        logger.debug(facts, "a worker's step failed again");
        return;
      }
      logger.error(facts, "a worker's step failed; the worker tries again after a pause");
      loggedAt = clock.now();
      unlogged = 0;
    },
    /** A lane recovered. */
    works: (): void => {
      if (unlogged > 0) logger.info({ worker, failures: unlogged }, "a worker works again");
      unlogged = 0;
    },
  };
}
