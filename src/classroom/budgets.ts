import { type AccountLimits, noOwnLimits } from "../domain/account.ts";
import { type Clock, steadyClock } from "../kernel/clock.ts";
import type { Ids } from "../kernel/ids.ts";
import type { Dialect, OperationDialect } from "./dialect.ts";
import { priorities, type Priority } from "./permits.ts";
import { defaultCallsPerWindow, marginMs, waitingTtlMs } from "./limits.ts";
import { readShared } from "./throttle-record.ts";
import { createThrottle, type Throttle, throttleKey, type ThrottleStore } from "./throttle.ts";

export type Budgets = ReturnType<typeof createBudgets>;

/**
 * An analytics call needs a permit of the analytics throttle, then of the general one. The first gate is shut until the
 * answer, so no other analytics call leaves with this one; the window counts from then, when at the latest the service
 * has seen it. @param deps.analyticsWindowMs One analytics call in this time.
 */
export function createBudgets(deps: {
  throttle: Throttle;
  /** null: analytics calls have no throttle of their own. */
  analyticsThrottle: Throttle | null;
  analyticsWindowMs: number;
  clock: Clock;
}) {
  const { throttle: general, analyticsThrottle: analytics, analyticsWindowMs, clock } = deps;

  async function keepShut(gate: Throttle, until: AbortSignal): Promise<void> {
    for (;;) {
      await clock.sleep(analyticsWindowMs / 2, until);
      gate.pause(analyticsWindowMs);
    }
  }

  return {
    /** Resolves when one call may be made. */
    acquire: async (
      budget: OperationDialect["budget"],
      options: { priority: Priority; signal?: AbortSignal | undefined },
    ) => {
      if (budget === "general" || analytics === null) return general.acquire(options);
      const slow = await analytics.acquire(options);
      await slow.begin();
      const answer = new AbortController();
      keepShut(analytics, answer.signal).catch(() => undefined);
      try {
        const permit = await general.acquire(options);
        analytics.pause(analyticsWindowMs + marginMs);
        return {
          ...permit,
          answered: () => {
            if (answer.signal.aborted) return;
            answer.abort();
            analytics.pause(analyticsWindowMs + marginMs);
            slow.answered();
            permit.answered();
          },
        };
      } catch (thrown) {
        answer.abort();
        throw thrown;
      }
    },
    /** The service answered 429: calls of this budget pause for `ms`. */
    refused: (budget: OperationDialect["budget"], ms: number) => {
      if (budget === "general" || analytics === null) general.refused(ms);
      else analytics.pause(ms);
    },
  };
}

/** Limits of calls with one key; accounts with the same key share them. */
type KeyThrottles = { throttle: Throttle; analyticsThrottle: Throttle; analyticsWindowMs: number };

/** Analytics calls are spread evenly: one in each window (ms); an account's own limit can only be slower. */
export function analyticsWindowMs({ analytics }: Dialect, { analyticsSeconds } = noOwnLimits): number {
  const ofService = (analytics.perSeconds * 1_000) / analytics.calls;
  return Math.max(ofService, (analyticsSeconds ?? 0) * 1_000);
}

/**
 * The throttles of each API key: general, and the slower one of analytics. What calls with one key were made is kept in
 * one record, so throttles of one key with different limits see each other as those of two processes do.
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

/** Calls with one API key, for observers. */
export type ThrottleState = Awaited<ReturnType<typeof throttleState>>;

export async function throttleState(
  deps: { store: Pick<ThrottleStore, "read"> },
  apiKey: string,
  now: number,
) {
  const found = await deps.store.read(throttleKey(apiKey));
  const shared = found === null ? null : readShared(found.record);
  const calls = (shared?.callsAt ?? []).filter((at) => at <= now);
  const lastCallAt = calls.length === 0 ? null : Math.max(...calls);
  const waiting = lastCallAt !== null && now - lastCallAt < waitingTtlMs ? (shared?.waiting ?? []) : [];
  const count = (priority: Priority) => waiting.filter(({ rank }) => priorities[rank] === priority).length;
  return {
    /** Calls of all processes within the last second. */
    lastSecond: calls.filter((at) => now - at < 1_000).length,
    /** The latest call (ms); null when none is remembered. */
    lastCallAt,
    /** The service asked for a pause until then (ms); null for none. */
    pausedUntil: shared !== null && shared.pausedUntil > now ? shared.pausedUntil : null,
    /** Processes whose most urgent call has this priority. */
    processes: {
      entry: count("entry"),
      instructor: count("instructor"),
      session: count("session"),
      background: count("background"),
    },
  };
}
