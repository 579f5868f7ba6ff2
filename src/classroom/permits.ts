import type { Clock } from "../kernel/clock.ts";
import { requireClaims } from "../kernel/with-claim.ts";
import type { createLedger } from "./throttle-ledger.ts";
import { agedAfterMs, maxPlanAheadMs } from "./limits.ts";
import type { TripTimes } from "./trip-times.ts";

/** In order of urgency: entries, instructors' actions, the start of a session, background work. */
export const priorities = ["entry", "instructor", "session", "background"] as const;

export type Priority = (typeof priorities)[number];

type Permitted = { n: number; plannedAt: number };

type Waiter = {
  rank: number;
  since: number;
  admit: (permitted: Permitted) => void;
  refuse: (reason: unknown) => void;
};

/** The waiting callers of this process: first come, first served within a priority. */
export function createWaitingLine(clock: Clock) {
  const lines: Waiter[][] = priorities.map(() => []);

  function best(after = 0): Waiter | null {
    let left = after;
    for (const line of lines) {
      if (left < line.length) return line[left] ?? null;
      left -= line.length;
    }
    return null;
  }

  /** The caller that has waited longest, entries aside, if it is old enough. */
  function aged(): Waiter | null {
    const firsts = lines.slice(1).flatMap((line) => line.slice(0, 1));
    const oldest = firsts.reduce<Waiter | null>(
      (found, each) => (found === null || each.since < found.since ? each : found),
      null,
    );
    return oldest !== null && clock.now() - oldest.since >= agedAfterMs ? oldest : null;
  }

  function remove(waiter: Waiter): boolean {
    const line = lines[waiter.rank] ?? [];
    const index = line.indexOf(waiter);
    if (index >= 0) line.splice(index, 1);
    return index >= 0;
  }

  return {
    /** The first caller, or the first after `left` others. */
    best,
    aged,
    /** Adds a caller behind all that have waited as long or longer. */
    add: (waiter: Waiter): void => {
      const line = lines[waiter.rank] ?? [];
      line.splice(line.findLastIndex(({ since }) => since <= waiter.since) + 1, 0, waiter);
    },
    remove,
    refuseAll: (reason: unknown): void => {
      for (const line of lines) for (const waiter of line.splice(0)) waiter.refuse(reason);
    },
    counts: (): Record<Priority, number> => ({
      entry: lines[0]?.length ?? 0,
      instructor: lines[1]?.length ?? 0,
      session: lines[2]?.length ?? 0,
      background: lines[3]?.length ?? 0,
    }),
  };
}

export type Permit = {
  /**
   * Waits for the moment of the first byte. A caller that missed its moment is first in its queue for the next one.
   * @throws the signal's reason, "throttle-store-unreachable", or "claim-lost" if another process has the call now
   */
  begin: () => Promise<void>;
  /** To be called when the operating system has all bytes of the request. */
  left: () => void;
  /** To be called when the service starts to answer, or the call fails. If no byte was sent, the permit is given back. */
  answered: () => void;
};

export type Waiting = { priority: Priority; signal?: AbortSignal | undefined };

/** The permits of one process, from the queue to the answer. */
export function createPermits(deps: {
  clock: Clock;
  ledger: Pick<ReturnType<typeof createLedger>, "settle" | "giveBack" | "paused">;
  line: Pick<ReturnType<typeof createWaitingLine>, "add" | "remove">;
  times: Pick<TripTimes, "answered">;
  /** How long after its moment a call's bytes may leave (ms). */
  slack: number;
  mayBeLate: (now: number) => { unanswered: number };
  /** Called when a caller comes or leaves, or a permit opens sooner. */
  wake: () => void;
}) {
  const { clock, ledger, line, times, slack, mayBeLate, wake } = deps;

  /** Whether the bytes of a call planned for this moment may leave now. */
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
    let current: Permitted | null = given;
    let begun = false;
    let over = false;
    let leftAt: number | null = null;
    let unanswered = 0;
    const giveBack = () => {
      if (current === null) return;
      ledger.giveBack(current.n, clock.now());
      current = null;
      wake();
    };
    const settle = (late: number) => {
      if (current === null) return;
      ledger.settle(current.n, late);
      // The next permit may open sooner than it seemed, and others need to know.
      wake();
    };
    const left = () => {
      if (current === null || leftAt !== null) return;
      leftAt = clock.now();
      ({ unanswered } = mayBeLate(leftAt));
      settle(leftAt - current.plannedAt + unanswered);
    };
    return {
      begin: async () => {
        for (;;) {
          current ??= await waitInLine(options, since);
          await sleepUntil(clock, current.plannedAt);
          if (options.signal?.aborted === true) {
            giveBack();
            throw reasonOf(options.signal);
          }
          await requireClaims().catch((thrown: unknown) => {
            giveBack();
            throw thrown;
          });
          if (inTime(current.plannedAt)) break;
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
        if (current === null || leftAt === null) return;
        settle(leftAt - current.plannedAt + Math.min(times.answered(clock.now() - leftAt), unanswered));
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

/** Waits until a moment, unless a clock that was set back puts it too far ahead. */
export async function sleepUntil(clock: Clock, moment: number): Promise<void> {
  for (let left = moment - clock.now(); left > 0 && left <= maxPlanAheadMs; left = moment - clock.now())
    await clock.sleep(Math.ceil(left));
}

function reasonOf(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new Error("aborted");
}
