import type { Clock } from "../../src/kernel/clock.ts";

type Sleeper = { at: number; order: number; wake: () => void; asleep: boolean };

/** A clock that jumps from one sleeper to the next: a day passes in seconds. */
export function simulatedClock(start: number): Clock & { runUntil: (end: number) => Promise<void> } {
  let time = start;
  let order = 0;
  /** A binary heap, the earliest sleeper first. */
  const heap: Sleeper[] = [];
  const before = (one: Sleeper | undefined, other: Sleeper | undefined) =>
    one !== undefined &&
    (other === undefined || one.at < other.at || (one.at === other.at && one.order < other.order));

  function swap(one: number, other: number): void {
    const [a, b] = [heap[one], heap[other]];
    if (a === undefined || b === undefined) return;
    heap[one] = b;
    heap[other] = a;
  }

  function add(sleeper: Sleeper): void {
    heap.push(sleeper);
    for (let at = heap.length - 1; at > 0;) {
      const above = (at - 1) >> 1;
      if (!before(heap[at], heap[above])) return;
      swap(at, above);
      at = above;
    }
  }

  function takeFirst(): Sleeper | undefined {
    swap(0, heap.length - 1);
    const first = heap.pop();
    for (let at = 0; ;) {
      let least = at;
      for (const below of [2 * at + 1, 2 * at + 2]) if (before(heap[below], heap[least])) least = below;
      if (least === at) return first;
      swap(at, least);
      at = least;
    }
  }

  return {
    now: () => time,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const gone = () => (signal?.reason instanceof Error ? signal.reason : new Error("aborted"));
        if (signal?.aborted === true) {
          reject(gone());
          return;
        }
        order += 1;
        const abort = () => {
          sleeper.asleep = false;
          reject(gone());
        };
        const sleeper: Sleeper = {
          at: time + Math.max(0, ms),
          order,
          asleep: true,
          wake: () => {
            signal?.removeEventListener("abort", abort);
            resolve();
          },
        };
        signal?.addEventListener("abort", abort, { once: true });
        add(sleeper);
      }),
    runUntil: async (end) => {
      for (;;) {
        // All promise work that is possible without time passing.
        await new Promise((resolve) => setImmediate(resolve));
        const [first] = heap;
        if (first === undefined || first.at > end) break;
        takeFirst();
        if (!first.asleep) continue;
        time = Math.max(time, first.at);
        first.asleep = false;
        first.wake();
      }
      time = end;
    },
  };
}
