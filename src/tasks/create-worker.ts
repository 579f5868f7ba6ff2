import { type Clock, hourMs, woken } from "../kernel/clock.ts";
import { messageOf } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";

/** Does work that is due, and sleeps while none is. */
export type Worker = ReturnType<typeof createWorker>;

export type WorkerOptions = {
  name: string;
  lanes: number;
  /**
   * Does one piece of work. @returns false when nothing was due, or how long to sleep at most before checking again (ms).
   * @param ending Aborts when the worker must stop.
   */
  step: (ending: AbortSignal) => Promise<boolean | number>;
  /** A step begins once nobody has woken the worker for `quietMs`, but waits at most `maxWaitMs`. So requests go first. */
  gather?: { quietMs: number; maxWaitMs: number };
};

/** How long a worker that found nothing sleeps unless it is woken (ms); `work.ts` wakes it when something is due. */
const longestSleepMs = hourMs;

const firstRestMs = 2_000;
/** Pauses of a lane whose steps keep failing grow up to this (ms), so it notices soon when they would succeed. */
const maxRestMs = 5_000;
/** Failures are logged at most this often (ms). */
const logEveryMs = 60_000;

/** Makes a worker that does nothing before `start`. */
export function createWorker(deps: { clock: Clock; logger: Logger }, options: WorkerOptions) {
  const { clock } = deps;
  const stopping = new AbortController();
  let sleepers = new AbortController();
  let lanes: Promise<void>[] = [];
  let wakes = 0;
  /** First and last wake since the last step; null if there was none. */
  let recentWakes: { first: number; last: number } | null = null;

  let sleeping = false;
  const rest = async (ms: number) => {
    sleeping = true;
    await clock.sleep(ms, sleepers.signal).catch(() => undefined);
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
        // No wake ends this pause. Otherwise constant wakes would query a broken store without a break.
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
      // There may be hundreds of wakes a second, most while the worker is awake.
      if (!sleeping) return;
      sleeping = false;
      const before = sleepers;
      sleepers = new AbortController();
      before.abort(woken);
    },
    /** Takes no new work, and resolves when running work has finished. */
    stop: async () => {
      stopping.abort(woken);
      sleepers.abort(woken);
      await Promise.all(lanes);
    },
  };
}

/** Logs the first failure, then a count once a minute, because an unreachable store fails every step. */
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
    /** To be called when a lane's step succeeds again. */
    works: (): void => {
      if (unlogged > 0) logger.info({ worker, failures: unlogged }, "a worker works again");
      unlogged = 0;
    },
  };
}
