/** The chance that the thread that made the last call also makes the next one: some get far while others stand still. */
const stickiness = 0.85;

type Step = { thread: number; go: () => Promise<void> };

/**
 * Runs several threads so that one of them at a time, chosen at random, makes its next store call: interleavings that a real network has
 * once a year, reproducible for the same random numbers, and without waiting.
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
    /** The same stores as one thread sees them. @param names The stores whose calls are scheduled; others are called directly. */
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
      all.catch(() => undefined); // thrown below
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
