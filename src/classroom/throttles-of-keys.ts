import type { Dialect } from "./dialect.ts";
import { createThrottle, type Throttle, type ThrottleStore } from "./throttle.ts";
import { defaultCallsPerWindow } from "./throttle-limits.ts";
import { type AccountLimits, noOwnLimits } from "../domain/account.ts";
import { type Clock, steadyClock } from "../kernel/clock.ts";
import type { Ids } from "../kernel/ids.ts";

/** Limits of calls with one key; accounts with the same key share them. */
export type KeyThrottles = { throttle: Throttle; analyticsThrottle: Throttle; analyticsWindowMs: number };

/** Analytics calls are spread evenly: one in each window (ms); an account's own limit can only be slower. */
export function analyticsWindowMs({ analytics }: Dialect, { analyticsSeconds } = noOwnLimits): number {
  const ofService = (analytics.perSeconds * 1_000) / analytics.calls;
  return Math.max(ofService, (analyticsSeconds ?? 0) * 1_000);
}

/**
 * The throttles of each API key: general, and the slower one of analytics. What calls with one key were made is kept in one record,
 * so that throttles of one key with different limits see each other as those of two processes do.
 */
export function createThrottles(deps: {
  store: ThrottleStore;
  clock: Clock;
  ids: Ids;
}): (apiKey: string, dialect: Dialect, limits: AccountLimits) => KeyThrottles {
  const throttles = new Map<string, KeyThrottles>();
  const each = { ...deps, clock: steadyClock(deps.clock), dayTime: deps.clock.now };
  return (apiKey, dialect, limits) => {
    const limit = Math.min(defaultCallsPerWindow, limits.callsPerSecond ?? defaultCallsPerWindow);
    const windowMs = analyticsWindowMs(dialect, limits);
    const counts = dialect.rateLimitCounts;
    const which = [apiKey, limit, windowMs].join("\n");
    const made = throttles.get(which) ?? {
      throttle: createThrottle({ ...each, counts, key: apiKey, limit }),
      analyticsThrottle: createThrottle({ ...each, key: `${apiKey}\nanalytics`, limit: 1, windowMs }),
      analyticsWindowMs: windowMs,
    };
    throttles.set(which, made);
    return made;
  };
}
