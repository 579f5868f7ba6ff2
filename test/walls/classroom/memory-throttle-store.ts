import type { ThrottleStore } from "../../../src/classroom/throttle.ts";

/** A throttle store in memory, shared by all throttles given the same one. */
export function memoryThrottleStore(): ThrottleStore & { writes: () => number } {
  const records = new Map<string, { revision: number; record: string }>();
  let writes = 0;
  return {
    writes: () => writes,
    read: (key) => Promise.resolve(records.get(key) ?? null),
    replace: (key, revision, record) => {
      if ((records.get(key)?.revision ?? null) !== revision) return Promise.resolve(false);
      writes += 1;
      records.set(key, { revision: (revision ?? 0) + 1, record });
      return Promise.resolve(true);
    },
  };
}
