import type { Clock } from "../kernel/clock.ts";
import { requireClaims } from "../kernel/with-claim.ts";
import { type createLedger } from "./throttle-ledger.ts";
import type { TripTimes } from "./trip-times.ts";
import {
  type createWaitingLine,
  type Permitted,
  priorities,
  type Priority,
  type Waiter,
} from "./waiting-line.ts";
import { maxPlanAheadMs } from "./throttle-limits.ts";

export type Permit = {
  /**
   * Waits for the moment of the first byte. After a missed moment the caller is first in its queue for the next one.
   * @throws the signal's reason, "throttle-store-unreachable", or "claim-lost" when the call is another process's now
   */
  begin: () => Promise<void>;
  /** The operating system has all bytes of the request. */
  left: () => void;
  /** The service began to answer, or the call failed; without a byte sent the permit is given back. */
  answered: () => void;
};

export type Waiting = { priority: Priority; signal?: AbortSignal | undefined };

/** Permits of one process: from the queue to the answer. */
export function createPermits(deps: {
  clock: Clock;
  ledger: Pick<ReturnType<typeof createLedger>, "settle" | "giveBack" | "paused">;
  line: Pick<ReturnType<typeof createWaitingLine>, "add" | "remove">;
  times: Pick<TripTimes, "answered">;
  /** A call's bytes may leave this long after its moment (ms). */
  slack: number;
  mayBeLate: (now: number) => { unanswered: number };
  /** Called when a caller came or left, or a permit opens sooner. */
  wake: () => void;
}) {
  const { clock, ledger, line, times, slack, mayBeLate, wake } = deps;

  /** Whether the bytes of a call planned for then may leave now. */
  function inTime(at: number): boolean {
    const now = clock.now();
    return now >= at && now <= at + slack && !ledger.paused(now);
  }

  function waitInLine({ priority, signal }: Waiting, since: number): Promise<Permitted> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(reasonOf(signal));
        return;
      }
      const leave = () => {
        if (!line.remove(waiter)) return;
        reject(reasonOf(signal));
        wake();
      };
      const waiter: Waiter = {
        rank: priorities.indexOf(priority),
        since,
        admit: (permitted) => {
          signal?.removeEventListener("abort", leave);
          resolve(permitted);
        },
        refuse: (reason) => {
          signal?.removeEventListener("abort", leave);
          reject(reason instanceof Error ? reason : new Error("the throttle stopped"));
        },
      };
      signal?.addEventListener("abort", leave, { once: true });
      line.add(waiter);
      wake();
    });
  }

  function permitFor(given: Permitted, options: Waiting, since: number): Permit {
    let place: Permitted | null = given;
    let begun = false;
    let over = false;
    let leftAt: number | null = null;
    let unanswered = 0;
    const giveBack = () => {
      if (place === null) return;
      ledger.giveBack(place.n, clock.now());
      place = null;
      wake();
    };
    const settle = (late: number) => {
      if (place === null) return;
      ledger.settle(place.n, late);
      // The next permit opens sooner than it seemed, or others need to know.
      wake();
    };
    const left = () => {
      if (place === null || leftAt !== null) return;
      leftAt = clock.now();
      ({ unanswered } = mayBeLate(leftAt));
      settle(leftAt - place.plannedAt + unanswered);
    };
    return {
      begin: async () => {
        for (;;) {
          place ??= await waitInLine(options, since);
          await sleepUntil(clock, place.plannedAt);
          if (options.signal?.aborted === true) {
            giveBack();
            throw reasonOf(options.signal);
          }
          await requireClaims().catch((thrown: unknown) => {
            giveBack();
            throw thrown;
          });
          if (inTime(place.plannedAt)) break;
          giveBack();
        }
        begun = true;
      },
      left,
      answered: () => {
        if (over) return;
        over = true;
        if (!begun) {
          giveBack();
          return;
        }
        left();
        if (place === null || leftAt === null) return;
        settle(leftAt - place.plannedAt + Math.min(times.answered(clock.now() - leftAt), unanswered));
      },
    };
  }

  return {
    acquire: async (options: Waiting): Promise<Permit> => {
      const since = clock.now();
      return permitFor(await waitInLine(options, since), options, since);
    },
  };
}

/** Waits until a moment, unless a clock that was set back has put it too far ahead. */
export async function sleepUntil(clock: Clock, moment: number): Promise<void> {
  for (let left = moment - clock.now(); left > 0 && left <= maxPlanAheadMs; left = moment - clock.now())
    await clock.sleep(Math.ceil(left));
}

function reasonOf(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new Error("aborted");
}
