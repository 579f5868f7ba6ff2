import type { App } from "../../app.ts";
import type { CallOptions } from "../../classroom/create-reader.ts";
import type { AccountId } from "../../domain/account.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { DueKind } from "../../storage/due-heads.ts";
import { createWorker, type Worker } from "../../tasks/create-worker.ts";
import { wokenFor, type Work } from "../../tasks/work.ts";
import { callRecheckMs, maxFewAccounts } from "./rules/limits.ts";

/**
 * Makes one worker per account when the account first has work: accounts never wait for each other, and idle ones cost nothing.
 * @param kind The queue, whose scopes are accounts.
 */
export function workersByAccount(
  app: Pick<App, "accounts" | "dueHeads" | "clock" | "logger">,
  kind: DueKind,
  make: (account: AccountId) => Worker,
): Work {
  const workers = new Map<AccountId, Worker>();
  let stopping = false;
  const wake = (account: AccountId) => {
    if (stopping) return;
    const known = workers.get(account);
    if (known !== undefined) {
      known.wake();
      return;
    }
    const made = make(account);
    workers.set(account, made);
    made.start();
  };
  const finding = createWorker(app, {
    name: `accounts with ${kind}`,
    lanes: 1,
    step: async () => {
      const all = app.accounts.ids();
      const due = all.length <= maxFewAccounts ? all : await app.dueHeads.scopesDue(kind, app.clock.now());
      for (const account of due) wake(account);
      return false;
    },
  });
  return wokenFor(
    {
      ...finding,
      stop: async () => {
        stopping = true;
        await Promise.all([finding, ...workers.values()].map((worker) => worker.stop()));
      },
    },
    kind,
  );
}

export type SequencedCalls = {
  /** @param recheck Awaited each second while the call waits. If it throws, the call is given up with that error. */
  sequenced: (options: CallOptions, recheck?: () => Promise<unknown>) => CallOptions;
  /** Aborts when this process ends or a check throws, but not while a call is under way. */
  signal: AbortSignal;
  /** Resolves when the first call was let through, or on `leave`. */
  first: Promise<unknown>;
  leave: () => void;
};

/**
 * Lets one call at a time wait before the throttle, in order of arrival, so background work never fills the queue.
 * Several answers may be awaited at once. @param ending When it aborts, waiting calls give up, and sent calls are
 * finished.
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
    const watch = async (recheck: () => Promise<unknown>, { signal }: AbortController) => {
      try {
        for (;;) {
          await clock.sleep(callRecheckMs, signal);
          await recheck();
        }
      } catch (thrown) {
        if (!signal.aborted) giveUp.abort(thrown);
      }
    };
    return {
      sequenced: (options, recheck) => ({
        ...options,
        onWait: async () => {
          await options.onWait?.();
          waiting.abort();
          waiting = new AbortController();
          if (recheck !== undefined) void watch(recheck, waiting);
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
