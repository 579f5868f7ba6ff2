import type { Clock } from "../kernel/clock.ts";
import { minQuota, maxPacedLms, quotaPerSecond } from "./limits.ts";

/** An LMS's latest report of the calls that it still takes from us. */
type Quota = { left: number; at: number; turn: Promise<unknown> };

/** Longest wait of one call (ms), in naps so that another call's better report is used. */
const waitsMs = { nap: 1_000, longest: 5_000 };

/** Runs calls to an LMS that reports its quota. */
export type QuotaPace = {
  /**
   * Runs a call at once while there is enough quota; else alone, after a wait of at most five seconds.
   * @param leftAfter The quota left by an answer; null where it says nothing.
   */
  run: <T>(
    registrationId: string,
    call: () => Promise<T>,
    leftAfter: (answer: T) => number | null,
  ) => Promise<T>;
};

/**
 * Slows down before an LMS refuses: Canvas reports the quota left with every answer (doc/api/throttling.md), and hardly
 * ever refuses a client with one call at a time. Each process by itself.
 */
export function createQuotaPace({ clock }: { clock: Clock }): QuotaPace {
  const quotas = new Map<string, Quota>();
  const leftOf = (id: string): number => {
    const known = quotas.get(id);
    return known === undefined
      ? Infinity
      : known.left + (Math.max(0, clock.now() - known.at) / 1_000) * quotaPerSecond;
  };

  return {
    run: async (id, call, leftAfter) => {
      const meteredCall = async () => {
        const answer = await call();
        const left = leftAfter(answer);
        if (left === null) return answer;
        if (quotas.size >= maxPacedLms) quotas.clear();
        quotas.set(id, { left, at: clock.now(), turn: quotas.get(id)?.turn ?? Promise.resolve() });
        return answer;
      };
      const known = quotas.get(id);
      if (known === undefined || leftOf(id) >= minQuota) return meteredCall();
      const mine = known.turn.then(async () => {
        for (let waited = 0; waited < waitsMs.longest && leftOf(id) < minQuota; waited += waitsMs.nap)
          await clock.sleep(waitsMs.nap);
        return meteredCall();
      });
      known.turn = mine.catch(() => undefined);
      return mine;
    },
  };
}
