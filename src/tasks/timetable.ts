import type { JobWork } from "../modules/operations/rules/job.ts";

/** A job by the clock. */
export type TimetableEntry = {
  /** What the record of its runs is kept under, and the name of its message on the console. */
  name: JobName;
  /** Cron text, UTC. */
  at: string;
  /** @returns how much was done, where that can be counted, and how much still waits. Repeating it is harmless. */
  run: () => Promise<JobWork | number | null>;
  /** For work that goes on after the run: what has come of it since a moment (ms). */
  follow?: (since: number) => Promise<JobWork>;
};

/** Every job there is. */
export const jobNames = [
  "read-attendance",
  "process-webhooks",
  "deliver-scores",
  "watch-unsent-scores",
  "prepare-people",
  "authorize-ahead",
  "read-rosters",
  "delete-withdrawn-keys",
  "purge",
] as const;
export type JobName = (typeof jobNames)[number];

/** What the timetable sets going. Counts are of what was done. */
export type TimetableDeps = {
  /** Plans readings of attendance of sessions that have ended, and sees to those that are due. */
  readAttendance: () => Promise<JobWork>;
  processReceipts: () => Promise<JobWork>;
  deliverScores: () => Promise<JobWork>;
  /** Says when a score has been waiting for its gradebook for too long. */
  watchUnsent: () => Promise<void>;
  preparePeople: () => Promise<JobWork>;
  /** Looks ahead, and sees to classes that are due. */
  authorizeAhead: () => Promise<JobWork>;
  /** Puts the rosters of courses in use on tonight's round, which takes hours; doing it twice changes nothing. */
  readRosters: () => Promise<JobWork>;
  /** Rosters that were read and that failed since a moment (ms), and those that wait. */
  rostersSince: (since: number) => Promise<JobWork>;
  /** Deletes keys of ours that have been withdrawn long enough. */
  sweepKeys: () => Promise<unknown>;
  purge: () => Promise<number>;
};

const uncounted = (work: () => unknown) => async (): Promise<null> => {
  await work();
  return null;
};

/**
 * The one list of what happens by the clock. Each is run by one process at a time, and by a later one when its time was
 * missed.
 */
export function timetable(deps: TimetableDeps): TimetableEntry[] {
  return [
    { name: "read-attendance", at: "* * * * *", run: deps.readAttendance },
    // Workers wake on their own; these catch what another process left behind or a wake-up that was missed.
    { name: "process-webhooks", at: "* * * * *", run: deps.processReceipts },
    { name: "deliver-scores", at: "* * * * *", run: deps.deliverScores },
    { name: "watch-unsent-scores", at: "* * * * *", run: uncounted(deps.watchUnsent) },
    { name: "prepare-people", at: "*/5 * * * *", run: deps.preparePeople },
    { name: "authorize-ahead", at: "* * * * *", run: deps.authorizeAhead },
    { name: "read-rosters", at: "7 1 * * *", run: deps.readRosters, follow: deps.rostersSince },
    { name: "delete-withdrawn-keys", at: "23 2 * * *", run: uncounted(deps.sweepKeys) },
    { name: "purge", at: "41 2 * * *", run: deps.purge },
  ];
}
