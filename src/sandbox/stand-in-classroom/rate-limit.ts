/**
 * Says whether a call made with a key may pass; `retryAfterSeconds` is null when it may.
 * @param stalled The call may have come so much earlier (ms): only what is too much for certain is refused.
 */
export type RateLimit = (key: string, now: number, stalled: number) => { retryAfterSeconds: number | null };

/**
 * When a call counts for the limit. The document ("fewer than 5 queries per second", part 8) does not say. Assumed (`limitCountsArrivals`):
 * when its request arrives, as gateways and web servers count (nginx `limit_req`, the usual middleware), before any work is done
 * for it. The opposite is a service that counts a call when its work is done and its reply is made.
 */
export type LimitCounts = "arrivals" | "replies";

/** "Fewer than 5 queries per second" (document part 8). */
export const usualLimit = { calls: 4, perMs: 1_000 };

/** A rolling window for each API key; whether refused calls count, too, is an assumption (`refusedCallsAreFree`). */
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
