import type { Clock } from "../kernel/clock.ts";
import { agedAfterMs } from "./throttle-limits.ts";

/** Entries, instructors' actions, a session's start, background work. */
export const priorities = ["entry", "instructor", "session", "background"] as const;

export type Priority = (typeof priorities)[number];

export type Permitted = { n: number; plannedAt: number };

export type Waiter = {
  rank: number;
  since: number;
  admit: (permitted: Permitted) => void;
  refuse: (reason: unknown) => void;
};

/** The waiting callers of this process, first come first served within a priority. */
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

  /** The longest waiting caller that is not entering, if old enough. */
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
    /** Behind all that wait for as long or longer. */
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
