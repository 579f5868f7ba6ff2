import type { CallOptions } from "../../classroom/call-options.ts";
import type { Clock } from "../../kernel/clock.ts";
import { callRecheckMs } from "./rules/limits.ts";

export type SequencedCalls = {
  /** @param look Awaited each second while the call waits; when it throws, the call is given up with that error. */
  sequenced: (options: CallOptions, look?: () => Promise<unknown>) => CallOptions;
  /** Aborts when this process ends or a look throws; not while a call is under way. */
  signal: AbortSignal;
  /** Resolves when the first call was let through, or on `leave`. */
  first: Promise<unknown>;
  leave: () => void;
};

/**
 * One call at a time waits before the throttle, in order of arrival, so that background work never fills the queue.
 * Answers may be awaited side by side. @param ending When it aborts, waiting calls give up; sent ones are finished.
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
          await clock.sleep(callRecheckMs, signal);
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
