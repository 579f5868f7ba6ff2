import type { Clock } from "./clock.ts";

/** A result is used twenty times as long as its reading took: readings take a twentieth of the time. */
const share = 20;

/**
 * Simultaneous callers share one reading. Its result is used for `atLeastMs` and for twenty times its duration, but at
 * most `atMostMs`: what held while something was slow is not believed for long. A failed reading is not kept.
 */
export function remembered<T>(
  deps: { clock: Pick<Clock, "now">; atLeastMs?: number; atMostMs?: number },
  read: () => Promise<T>,
): () => Promise<T> {
  let kept: { value: T; until: number } | null = null;
  let reading: Promise<T> | null = null;
  const readNow = async (): Promise<T> => {
    const from = deps.clock.now();
    try {
      const value = await read();
      const now = deps.clock.now();
      const lasts = Math.max(deps.atLeastMs ?? 0, share * (now - from));
      kept = { value, until: now + Math.min(lasts, deps.atMostMs ?? Infinity) };
      return value;
    } finally {
      reading = null;
    }
  };
  return async () => {
    const now = deps.clock.now();
    if (kept !== null && now < kept.until) return kept.value;
    return (reading ??= readNow());
  };
}
