import type { Clock } from "../kernel/clock.ts";
import { type NamedError, nothingTried } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";
import {
  backgroundBusyMs,
  backgroundRestMs,
  maxFailuresBeforeRest,
  maxBackgroundAttempts,
  maxBackgroundCalls,
  maxBackgroundWaitMs,
} from "./limits.ts";
import type { Priority } from "./permits.ts";

/** Keeps an account whose service fails or is busy from occupying the workers that serve all accounts. */
export type BackgroundRest = ReturnType<typeof createBackgroundRest>;

/**
 * Rests for one account. It never holds back people and instructors, because each account has separate workers for them.
 * @param deps.shares Whether other accounts use the same workers. A single account waits as long as needed.
 */
export function createBackgroundRest(deps: { clock: Clock; shares: () => boolean }) {
  const { clock, shares } = deps;
  let failures = 0;
  let until = 0;
  let underWay = 0;
  const mayRest = (priority: Priority) => priority === "background" && shares();

  const rest = (ms: number): void => {
    until = Math.max(until, clock.now() + ms);
  };
  return {
    /**
     * To be called before a call. @returns a function to call after it
     * @throws NamedError "classroom-resting" for background calls while the account rests, or has enough of them under way
     */
    begin: (priority: Priority): (() => void) => {
      if (!mayRest(priority)) return () => undefined;
      const left = until - clock.now();
      if (left > 0) throw resting(left);
      if (underWay >= maxBackgroundCalls) throw resting(backgroundBusyMs);
      underWay += 1;
      return () => {
        underWay -= 1;
      };
    },
    /** Waits for a background call's permit, but only as long as the other accounts can bear. @throws as `begin`, or what the wait throws */
    bounded: async <T>(
      priority: Priority,
      signal: AbortSignal | undefined,
      wait: (signal: AbortSignal | undefined) => Promise<T>,
    ): Promise<T> => {
      if (!mayRest(priority)) return wait(signal);
      const tooLong = new AbortController();
      const over = new AbortController();
      clock.sleep(maxBackgroundWaitMs, over.signal).then(
        () => {
          rest(backgroundRestMs.first);
          tooLong.abort(resting(backgroundRestMs.first));
        },
        () => undefined,
      );
      try {
        return await wait(signal === undefined ? tooLong.signal : AbortSignal.any([signal, tooLong.signal]));
      } finally {
        over.abort();
      }
    },
    /** How often to attempt a call. Fewer times in the background, where a failed call is tried again later anyway. */
    attempts: (priority: Priority, usual: number) =>
      mayRest(priority) ? Math.min(usual, failures > 0 ? 1 : maxBackgroundAttempts) : usual,
    answered: () => {
      failures = 0;
      until = 0;
    },
    /** Whether several calls in a row have failed, and none has been answered since. */
    fails: () => failures >= maxFailuresBeforeRest,
    failed: () => {
      failures += 1;
      if (failures < maxFailuresBeforeRest) return;
      const longer = Math.min(failures - maxFailuresBeforeRest, 10);
      rest(Math.min(backgroundRestMs.first * 2 ** longer, backgroundRestMs.longest));
    },
  };
}

function resting(ms: number): NamedError {
  return refusal("classroom-resting", { status: 503, temporary: true, details: nothingTried(ms) });
}
