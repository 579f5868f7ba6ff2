/** A sequence of numbers in 0..1 that is the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** How often the one who did the last step goes on, so that some get far while others stand still. */
const stickiness = 0.85;

type Step = { thread: number; go: () => Promise<void> };

/**
 * Runs work of several threads so that one store call at a time is made, by whom is drawn at random: interleavings that
 * a real network has once a year, the same for the same random numbers, and without waiting.
 */
export function createInterleaver(random: () => number) {
  const pending: Step[] = [];
  let last = -1;

  /** Waits for this thread's turn and makes the call. */
  const inTurn = <T>(thread: number, call: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      pending.push({ thread, go: () => call().then(resolve, reject) });
    });
  const next = (): Step | undefined => {
    const same = pending.findIndex(({ thread }) => thread === last);
    const at = same >= 0 && random() < stickiness ? same : Math.floor(random() * pending.length);
    const [step] = pending.splice(at, 1);
    return step;
  };
  const interleaved = (thread: number, store: unknown): unknown =>
    typeof store !== "object" || store === null
      ? store
      : new Proxy(store, {
          get: (target, name) => {
            const found: unknown = Reflect.get(target, name);
            if (typeof found !== "function") return found;
            return (...given: unknown[]) =>
              inTurn(thread, async () => {
                const answer: unknown = await Reflect.apply(found, target, given);
                return answer;
              });
          },
        });

  return {
    inTurn,
    /** The same stores as one thread sees them. @param names Those whose calls are drawn; others answer at once. */
    stores: <T extends object>(thread: number, all: T, names: readonly (keyof T & string)[]): T =>
      new Proxy(all, {
        get: (target, name) => {
          const found: unknown = Reflect.get(target, name);
          return names.some((one) => one === name) ? interleaved(thread, found) : found;
        },
      }),
    /** Resolves when every thread has ended. */
    run: async (threads: readonly (() => Promise<void>)[]): Promise<void> => {
      let running = threads.length;
      const all = Promise.all(
        threads.map((thread) =>
          thread().finally(() => {
            running -= 1;
          }),
        ),
      );
      all.catch(() => undefined); // told below
      while (running > 0) {
        await new Promise(setImmediate);
        const step = next();
        if (step === undefined) continue;
        last = step.thread;
        await step.go();
      }
      await all;
    },
  };
}
