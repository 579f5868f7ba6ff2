import type { Clock } from "./clock.ts";

/** So many times as long as a reading took it is used: however often somebody asks, a twentieth of the time is spent. */
const share = 20;

/**
 * Something to read that many may ask for: those who ask at the same time share one reading, and what it gave is used
 * for `atLeastMs` and for twenty times as long as it took, but no longer than `atMostMs`: what was true while something was slow
 * is not believed for long. A reading that fails is told to those who wait for it and not kept.
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
