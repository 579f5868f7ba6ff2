import { messageOf } from "./errors.ts";
import type { Logger } from "./logger.ts";

/** Work that nobody waits for, but that a clean stop finishes. */
export type Background = {
  /** Starts it; a failure is logged, never thrown. */
  run: (name: string, work: () => Promise<void>) => void;
  /** Resolves when everything started so far has ended. */
  settle: () => Promise<void>;
};

export function createBackground(logger: Logger): Background {
  const running = new Set<Promise<void>>();
  return {
    run: (name, work) => {
      const started = work()
        .catch((thrown: unknown) => {
          logger.warn({ work: name, error: messageOf(thrown) }, "background work failed");
        })
        .finally(() => running.delete(started));
      running.add(started);
    },
    settle: async () => {
      await Promise.all(running);
    },
  };
}
