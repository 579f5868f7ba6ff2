import type { Clock } from "./clock.ts";
import { messageOf } from "./errors.ts";
import type { Logger } from "./logger.ts";

/**
 * Maps a list, at most `lanes` items at a time; the results keep the list's order.
 * @throws what the first failing `work` throws. Work that has begun continues, but no more begins.
 */
export async function inLanes<T, R>(lanes: number, list: readonly T[], work: (one: T) => Promise<R>) {
  const results: R[] = [];
  const waiting = list.entries();
  let failed = false;
  const lane = async () => {
    for (const [at, one] of waiting) {
      if (failed) return;
      try {
        results[at] = await work(one);
      } catch (thrown) {
        failed = true;
        throw thrown;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, list.length) }, lane));
  return results;
}

/** Waits at most `ms`. Work that takes longer continues, and nobody sees its result. @throws Error "no answer within ... ms". */
export async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new Error(`no answer within ${ms} ms`));
  }, ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Gives the event loop a turn. Long loops call it between batches of a few hundred items. */
export function letOthersRun(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Reads all rows of a list in key order, one page at a time. @param read Reads up to `size` rows after a key. */
export async function* pagesByKey<Row>(
  size: number,
  keyOf: (row: Row) => string,
  read: (after: string, size: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let after = ""; ;) {
    const rows = await read(after, size);
    const last = rows.at(-1);
    if (last !== undefined) yield rows;
    if (last === undefined || rows.length < size) return;
    after = keyOf(last);
    await letOthersRun();
  }
}

/** A result is used for twenty times as long as its reading took, so reading takes at most a twentieth of the time. */
const share = 20;

/**
 * Simultaneous callers share one reading. Its result is used for twenty times the reading's duration, but at least `minMs` and at most
 * `maxMs`, because facts read while the store was slow shouldn't count for long. A failed reading isn't kept.
 */
export function remembered<T>(
  deps: { clock: Pick<Clock, "now" | "elapsed">; minMs?: number; maxMs?: number },
  read: () => Promise<T>,
): () => Promise<T> {
  const elapsed = deps.clock.elapsed ?? deps.clock.now;
  let latest: { value: T; until: number } | null = null;
  let reading: Promise<T> | null = null;
  const readNow = async (): Promise<T> => {
    const from = elapsed();
    try {
      const value = await read();
      const now = elapsed();
      const lasts = Math.max(deps.minMs ?? 0, share * (now - from));
      latest = { value, until: now + Math.min(lasts, deps.maxMs ?? Infinity) };
      return value;
    } finally {
      reading = null;
    }
  };
  return async () => {
    if (latest !== null && elapsed() < latest.until) return latest.value;
    return (reading ??= readNow());
  };
}

/** Work that no caller waits for, but that a clean stop lets finish. */
export type Background = ReturnType<typeof createBackground>;

export function createBackground(logger: Logger) {
  const running = new Set<Promise<void>>();
  const finish = (name: string, work: () => Promise<void>): Promise<void> => {
    const ended = async () => {
      try {
        await work();
      } catch (thrown) {
        logger.warn({ work: name, error: messageOf(thrown) }, "background work failed");
      }
    };
    const started = ended().finally(() => running.delete(started));
    running.add(started);
    return started;
  };
  return {
    /** Starts the work. A failure is logged, never thrown. */
    run: (name: string, work: () => Promise<void>) => {
      void finish(name, work);
    },
    /** As `run`, for a caller that waits for the end. */
    finish,
    /** Resolves when all work has ended, including work that started while waiting. */
    settle: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** Makes a value when it is first asked for, so things that few requests need don't slow the start. */
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
