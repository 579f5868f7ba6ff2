/**
 * `retryAfterSeconds` is null when a call may pass. @param stalled How much earlier it may have come (ms): only a certain excess is
 * refused.
 */
export type RateLimit = (key: string, now: number, stalled: number) => { retryAfterSeconds: number | null };

/**
 * When a call counts; the document ("fewer than 5 queries per second", part 8) does not say. Assumed (`limitCountsArrivals`): at arrival,
 * before any work, as gateways count (nginx `limit_req`). The opposite: when the reply is made.
 */
export type LimitCounts = "arrivals" | "replies";

/** "Fewer than 5 queries per second" (document part 8). */
export const usualLimit = { calls: 4, perMs: 1_000 };

/** A rolling window for each API key; whether refused calls count is an assumption (`refusedCallsAreFree`). */
export function createRateLimit({
  calls,
  perMs,
  refusedCount,
}: {
  calls: number;
  perMs: number;
  refusedCount: boolean;
}): RateLimit {
  const passed = new Map<string, number[]>();
  return (key, now, stalled) => {
    const recent = (passed.get(key) ?? []).filter((at) => now - at < perMs);
    const allowed = recent.length < calls;
    if (allowed || refusedCount) recent.push(now - stalled);
    passed.set(key, recent);
    return { retryAfterSeconds: allowed ? null : Math.ceil(perMs / 1_000) };
  };
}
