import type { Dialect } from "./dialect.ts";
import { createThrottle, type Throttle, type ThrottleStore } from "./throttle.ts";
import { steadyClock } from "../kernel/clock.ts";
import type { Ids } from "../kernel/ids.ts";

/** Limits of calls with one key; environments with the same key share it. */
export type KeyThrottles = { throttle: Throttle; analyticsThrottle: Throttle };

/** Analytics calls are spread evenly: one in each window (ms). */
export function analyticsWindowMs({ analytics }: Dialect): number {
  return (analytics.perSeconds * 1_000) / analytics.calls;
}

/** The throttles of each API key: general, and the slower one of analytics. */
export function createThrottles(deps: {
  dialect: Dialect;
  store: ThrottleStore;
  dayTime: () => number;
  ids: Ids;
}): (apiKey: string) => KeyThrottles {
  const throttles = new Map<string, KeyThrottles>();
  const each = { ...deps, clock: steadyClock };
  const { rateLimitCounts: counts } = deps.dialect;
  return (apiKey) => {
    const made = throttles.get(apiKey) ?? {
      throttle: createThrottle({ ...each, counts, key: apiKey }),
      analyticsThrottle: createThrottle({
        ...each,
        key: `${apiKey}\nanalytics`,
        limit: 1,
        windowMs: analyticsWindowMs(deps.dialect),
      }),
    };
    throttles.set(apiKey, made);
    return made;
  };
}
