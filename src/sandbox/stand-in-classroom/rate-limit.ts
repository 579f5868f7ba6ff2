/** Says whether a call made with a key may pass; `retryAfterSeconds` is null when it may. */
export type RateLimit = (key: string, now: number) => { retryAfterSeconds: number | null };

/** "Fewer than 5 queries per second" (document part 8), over a rolling second; refused calls do not count. */
const mostPerSecond = 4;

/** A rolling window for each API key. */
export function createRateLimit(): RateLimit {
  const passed = new Map<string, number[]>();
  return (key, now) => {
    const recent = (passed.get(key) ?? []).filter((at) => now - at < 1_000);
    const allowed = recent.length < mostPerSecond;
    if (allowed) recent.push(now);
    passed.set(key, recent);
    return { retryAfterSeconds: allowed ? null : 1 };
  };
}
