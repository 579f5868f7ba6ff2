import type { Dialect } from "./dialect.ts";
import { createThrottle, type Throttle, type ThrottleStore } from "./throttle.ts";
import { steadyClock } from "../kernel/clock.ts";
import type { Ids } from "../kernel/ids.ts";

/** Limits of calls with one key; accounts with the same key share them. */
export type KeyThrottles = { throttle: Throttle; analyticsThrottle: Throttle };

/** Analytics calls are spread evenly: one in each window (ms). */
export function analyticsWindowMs({ analytics }: Dialect): number {
  return (analytics.perSeconds * 1_000) / analytics.calls;
}

/** The throttles of each API key: general, and the slower one of analytics. The first dialect of a key counts. */
export function createThrottles(deps: {
  store: ThrottleStore;
  dayTime: () => number;
  ids: Ids;
}): (apiKey: string, dialect: Dialect) => KeyThrottles {
  const throttles = new Map<string, KeyThrottles>();
  const each = { ...deps, clock: steadyClock };
  return (apiKey, dialect) => {
    const made = throttles.get(apiKey) ?? {
      throttle: createThrottle({ ...each, counts: dialect.rateLimitCounts, key: apiKey }),
      analyticsThrottle: createThrottle({
        ...each,
        key: `${apiKey}\nanalytics`,
        limit: 1,
        windowMs: analyticsWindowMs(dialect),
      }),
    };
    throttles.set(apiKey, made);
    return made;
  };
}
