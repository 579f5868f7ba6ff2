/** Says whether a call made with a key may pass; `retryAfterSeconds` is null when it may. */
export type RateLimit = (key: string, now: number) => { retryAfterSeconds: number | null };

/** "Fewer than 5 queries per second" (document part 8). */
const general = { calls: 4, perMs: 1_000 };

/** A rolling window for each API key; refused calls do not count. */
export function createRateLimit({ calls, perMs }: { calls: number; perMs: number } = general): RateLimit {
  const passed = new Map<string, number[]>();
  return (key, now) => {
    const recent = (passed.get(key) ?? []).filter((at) => now - at < perMs);
    const allowed = recent.length < calls;
    if (allowed) recent.push(now);
    passed.set(key, recent);
    return { retryAfterSeconds: allowed ? null : Math.ceil(perMs / 1_000) };
  };
}
