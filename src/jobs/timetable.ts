import { schedule, type ScheduledTask } from "node-cron";
import { messageOf } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";

/** A job by the clock. Jobs only wake workers or run under a claim, so every process may run all of them. */
export type TimetableEntry = {
  name: string;
  /** Cron text, UTC. */ at: string;
  run: () => void | Promise<void>;
};

/** The one list of what happens by the clock. */
export function timetable(deps: {
  wakeReceipts: () => void;
  wakeDeliveries: () => void;
  /** Puts the rosters of courses in use on tonight's round; doing it twice changes nothing. */
  readRosters: () => Promise<void>;
  /** Deletes keys of ours that have been withdrawn long enough. */
  sweepKeys: () => Promise<unknown>;
}): TimetableEntry[] {
  return [
    // Workers wake on their own; this catches what another process left behind or a wake-up that was missed.
    { name: "process receipts", at: "* * * * *", run: deps.wakeReceipts },
    { name: "deliver scores", at: "* * * * *", run: deps.wakeDeliveries },
    { name: "read rosters", at: "7 1 * * *", run: deps.readRosters },
    {
      name: "delete withdrawn keys",
      at: "23 2 * * *",
      run: async () => {
        await deps.sweepKeys();
      },
    },
  ];
}

/** Starts the timetable; the result stops it. */
export function startTimetable(entries: readonly TimetableEntry[], logger: Logger): () => Promise<void> {
  const tasks: ScheduledTask[] = entries.map((entry) =>
    schedule(
      entry.at,
      async () => {
        try {
          await entry.run();
        } catch (thrown) {
          logger.error(
            { job: entry.name, error: messageOf(thrown) },
            "a job failed; it runs again at its next time",
          );
        }
      },
      { name: entry.name, timezone: "Etc/UTC", noOverlap: true },
    ),
  );
  return async () => {
    for (const task of tasks) await task.destroy();
  };
}
