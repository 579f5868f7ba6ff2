import type { Clock } from "../../../src/kernel/clock.ts";

/** A clock that jumps to the next sleeper; `skew` makes further clocks of the same time that show it differently. */
export function fakeClock(start = 1_000_000) {
  let time = start;
  const sleepers: { at: number; wake: () => void }[] = [];

  function clock(skew = 0): Clock {
    return {
      now: () => time + skew,
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          const sleeper = { at: time + ms, wake: () => resolve() };
          sleepers.push(sleeper);
          const abort = () => {
            const index = sleepers.indexOf(sleeper);
            if (index >= 0) sleepers.splice(index, 1);
            reject(new Error("aborted"));
          };
          if (signal?.aborted === true) abort();
          else signal?.addEventListener("abort", abort, { once: true });
        }),
    };
  }

  return {
    clock,
    now: () => time,
    /** Lets time pass, wakes sleepers in order and lets everything they cause happen. */
    advance: async (ms: number): Promise<void> => {
      const end = time + ms;
      for (;;) {
        await quiet();
        const next = sleepers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        sleepers.splice(sleepers.indexOf(next), 1);
        time = Math.max(time, next.at);
        next.wake();
      }
      time = end;
      await quiet();
    },
  };
}

/** Runs all promises that need no time. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
