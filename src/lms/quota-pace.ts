import type { Clock } from "../kernel/clock.ts";
import { lowQuota, maxPacedLms, quotaPerSecond } from "./limits.ts";

/** What an LMS has told last of the calls that it still takes from us. */
type Told = { left: number; at: number; turn: Promise<unknown> };

/** How long one call waits at most (ms), in naps so that a better word of another call is heeded. */
const patience = { nap: 1_000, longest: 5_000 };

/** Runs calls to an LMS that tells how much quota is left. */
export type QuotaPace = {
  /**
   * Runs a call at once while there is enough; else alone, after a wait of at most five seconds.
   * @param leftAfter What the answer tells: the quota that is left, null where it says nothing.
   */
  run: <T>(
    registrationId: string,
    call: () => Promise<T>,
    leftAfter: (answer: T) => number | null,
  ) => Promise<T>;
};

/**
 * Slows down before an LMS refuses: Canvas tells with every answer how much quota is left (doc/api/throttling.md), and says
 * that a client with one call at a time is hardly ever refused. Each process heeds what it hears itself.
 */
export function createQuotaPace({ clock }: { clock: Clock }): QuotaPace {
  const told = new Map<string, Told>();
  const leftOf = (id: string): number => {
    const known = told.get(id);
    return known === undefined
      ? Infinity
      : known.left + (Math.max(0, clock.now() - known.at) / 1_000) * quotaPerSecond;
  };

  return {
    run: async (id, call, leftAfter) => {
      const tellingCall = async () => {
        const answer = await call();
        const left = leftAfter(answer);
        if (left === null) return answer;
        if (told.size >= maxPacedLms) told.clear();
        told.set(id, { left, at: clock.now(), turn: told.get(id)?.turn ?? Promise.resolve() });
        return answer;
      };
      const known = told.get(id);
      if (known === undefined || leftOf(id) >= lowQuota) return tellingCall();
      const mine = known.turn.then(async () => {
        for (let waited = 0; waited < patience.longest && leftOf(id) < lowQuota; waited += patience.nap)
          await clock.sleep(patience.nap);
        return tellingCall();
      });
      known.turn = mine.catch(() => undefined);
      return mine;
    },
  };
}
