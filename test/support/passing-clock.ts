import type { Clock } from "../../src/kernel/clock.ts";

/** A clock that stands still until the test lets time pass; then sleepers wake in order, and their work (`settled`) is awaited. */
export function passingClock(from = Date.now()) {
  let now = from;
  const sleepers = new Set<{ at: number; wake: () => void }>();
  const clock: Clock = {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { at: now + ms, wake: resolve };
        sleepers.add(sleeper);
        const abort = () => {
          sleepers.delete(sleeper);
          reject(new Error("aborted"));
        };
        if (signal?.aborted === true) abort();
        else signal?.addEventListener("abort", abort, { once: true });
      }),
  };
  const pass = async (ms: number, settled: () => Promise<void>) => {
    const until = now + ms;
    for (;;) {
      const [next] = [...sleepers].sort((a, b) => a.at - b.at);
      if (next === undefined || next.at > until) break;
      now = next.at;
      sleepers.delete(next);
      next.wake();
      await settled();
    }
    now = until;
  };
  return { clock, pass };
}
