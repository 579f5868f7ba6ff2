import type { CallOptions } from "../../classroom/call-options.ts";
import type { Clock } from "../../kernel/clock.ts";

/** The calls for one person. */
export type SequencedCalls = {
  /**
   * The manner of one of them.
   * @param look Awaited each second while the call stands in line; when it throws, the call leaves the line with that.
   */
  sequenced: (options: CallOptions, look?: () => Promise<unknown>) => CallOptions;
  /** Aborts when this process ends, or a look says no; not while a call is under way. */
  signal: AbortSignal;
  /** Resolves when the first one has been let through, or when they left. */
  first: Promise<unknown>;
  /** Nothing more is called for them. */
  leave: () => void;
};

/** How often a call in line is looked at (ms). Nothing is done at its turn: it would leave later than was reckoned with. */
const looksEvery = 1_000;

/**
 * Lets one call after the other stand before the throttle, in the order in which they come, so that work which nobody
 * waits for never fills the line. Answers may be waited for side by side.
 * @param ending When it aborts, whoever still stands in line gives up; what has been sent is finished.
 */
export function createSequencer(
  clock: Clock,
  ending: AbortSignal,
): { join: () => SequencedCalls; close: () => void } {
  let last: Promise<unknown> = Promise.resolve();
  const unsent = new Set<AbortController>();
  const end = () => {
    for (const call of unsent) call.abort(ending.reason);
  };
  ending.addEventListener("abort", end, { once: true });

  function join(): SequencedCalls {
    const first = Promise.withResolvers<undefined>();
    const giveUp = new AbortController();
    let free: () => void = () => undefined;
    let waiting = new AbortController();

    const pass = () => {
      waiting.abort();
      unsent.delete(giveUp);
      free();
      first.resolve(undefined);
    };
    const enqueue = async () => {
      free();
      const before = last;
      const mine = Promise.withResolvers<undefined>();
      free = () => mine.resolve(undefined);
      last = before.then(() => mine.promise);
      unsent.add(giveUp);
      if (ending.aborted) giveUp.abort(ending.reason);
      await before;
      giveUp.signal.throwIfAborted();
    };
    const watch = async (look: () => Promise<unknown>, { signal }: AbortController) => {
      try {
        for (;;) {
          await clock.sleep(looksEvery, signal);
          await look();
        }
      } catch (thrown) {
        if (!signal.aborted) giveUp.abort(thrown);
      }
    };
    return {
      sequenced: (options, look) => ({
        ...options,
        onWait: async () => {
          await options.onWait?.();
          waiting.abort();
          waiting = new AbortController();
          if (look !== undefined) void watch(look, waiting);
          await enqueue();
        },
        onPermit: async () => {
          pass();
          await options.onPermit?.();
        },
      }),
      signal: giveUp.signal,
      first: first.promise,
      leave: pass,
    };
  }

  return { join, close: () => ending.removeEventListener("abort", end) };
}
