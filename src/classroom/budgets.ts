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
 * An analytics call needs a permit from the analytics throttle, then one from the general throttle. The first gate stays closed until
 * the answer, so no other analytics call leaves together with this one. The window starts at the answer, because the service has seen the
 * call by then. @param deps.analyticsWindowMs At most one analytics call in this time.
 */
export function createBudgets(deps: {
  throttle: Throttle;
  /** null: analytics calls have no separate throttle. */
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
    /** Resolves when the caller may make one call. */
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

/** The throttles for calls with one key. Accounts with the same key share them. */
type KeyThrottles = { throttle: Throttle; analyticsThrottle: Throttle; analyticsWindowMs: number };

/** Analytics calls are spread evenly, one in each window (ms). An account's own limit can only make them slower. */
export function analyticsWindowMs({ analytics }: Dialect, { analyticsSeconds } = noOwnLimits): number {
  const ofService = (analytics.perSeconds * 1_000) / analytics.calls;
  return Math.max(ofService, (analyticsSeconds ?? 0) * 1_000);
}

/**
 * The throttles of each API key: the general one, and the slower one for analytics. One record holds all calls made with a key. So
 * throttles of one key with different limits see each other, like those of two processes.
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

/** The state of calls with one API key, for monitoring. */
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
    /** Calls by all processes within the last second. */
    lastSecond: calls.filter((at) => now - at < 1_000).length,
    /** When the latest call was made (ms); null if none is known. */
    lastCallAt,
    /** The service asked for a pause until this moment (ms); null for none. */
    pausedUntil: shared !== null && shared.pausedUntil > now ? shared.pausedUntil : null,
    /** How many processes wait, by the priority of their most urgent call. */
    processes: {
      entry: count("entry"),
      instructor: count("instructor"),
      session: count("session"),
      background: count("background"),
    },
  };
}
