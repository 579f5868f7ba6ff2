/** How a run of a job ended. "broken-off": its process died, and another one found that out. */
export type JobOutcome = "done" | "failed" | "broken-off";

/** What a run did, and how much it left to be done: both in the job's own unit. */
export type JobWork = { done: number; waiting: number };

/** One run of a job by the clock. */
export type JobRun = {
  id: string;
  /** Which process ran it: its machine and process id. */
  process: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** Null while it runs. */
  endedAt: number | null;
  /** Null while it runs. */
  outcome: JobOutcome | null;
  /** How much was done, in the job's own unit; null when the job does not count. */
  done: number | null;
  /** How much still waited when it ended; null when the job does not tell, left out by runs of earlier versions. */
  waiting?: number | null;
  /** Why it failed; null when it did not. */
  problem: string | null;
};

/** What is kept about a job. */
export type Job = {
  name: string;
  /** When it runs next, or should have run (ms); it stays until a run has ended, so that another process takes over. */
  dueAt: number;
  /** The newest first. */
  runs: readonly JobRun[];
  /** When a run last ended well (ms); null when none has. */
  succeededAt: number | null;
};

/** So many runs of each job are kept. */
export const runsKept = 50;

/** So many runs in a row may break off; then the job waits for its next time, for it may be what ends the processes. */
const mostBrokenOff = 3;

/** Runs with a new one in front; one that had not ended is broken off: its process holds the job no more. */
export function withRun(runs: readonly JobRun[], run: JobRun): JobRun[] {
  const earlier = runs.map((one): JobRun =>
    one.endedAt === null ? { ...one, endedAt: run.startedAt, outcome: "broken-off" } : one,
  );
  return [run, ...earlier].slice(0, runsKept);
}

/** Whether a job breaks off again and again. @param runs The newest first, none of them running. */
export function keepsBreakingOff(runs: readonly JobRun[]): boolean {
  const latest = runs.slice(0, mostBrokenOff);
  return latest.length === mostBrokenOff && latest.every(({ outcome }) => outcome === "broken-off");
}
