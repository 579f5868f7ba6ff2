/** Every job by the clock, by the name it has in the store and in the catalogues. */
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

/**
 * How a run of a job ended. "incomplete": some of it failed, "failed": all of it, or the run itself. "broken-off": its
 * process died, and another one found that out.
 */
export type JobOutcome = "done" | "incomplete" | "failed" | "broken-off";

/** What a run did, how much of it failed (0 when left out), and how much it left to be done: in the job's own unit. */
export type JobWork = { done: number; failed?: number; waiting: number };

/** How a run ended that came to its end. */
export function outcomeOfWork({ done, failed = 0 }: Pick<JobWork, "done" | "failed">): JobOutcome {
  if (failed === 0) return "done";
  return done === 0 ? "failed" : "incomplete";
}

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
  /** How much failed; left out by jobs that do not tell, and by runs of earlier versions. */
  failed?: number | null;
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
export const maxRunsKept = 50;

/** A job whose work goes on without it has its latest run's record brought up to date for so long (ms). */
const followedForMs = 6 * 60 * 60_000;

/** The run whose record is to be brought up to date; null when there is none: none has ended well, or it is long ago. */
export function runToFollow({ runs: [last] }: Pick<Job, "runs">, now: number): JobRun | null {
  if (last === undefined || last.endedAt === null || last.waiting == null) return null;
  return now - last.startedAt <= followedForMs ? last : null;
}

/** A job after one of its ended runs was brought up to date: a success that turned out to be none is forgotten. */
export function withWork(
  { runs, succeededAt }: Pick<Job, "runs" | "succeededAt">,
  runId: string,
  work: JobWork,
): { runs: JobRun[]; succeededAt: number | null } {
  const now = runs.map((one): JobRun =>
    one.id === runId ? { ...one, ...work, outcome: outcomeOfWork(work) } : one,
  );
  const wasIts = runs.some(({ id, endedAt }) => id === runId && endedAt === succeededAt);
  const newest = now.find(({ outcome }) => outcome === "done")?.endedAt ?? null;
  return { runs: now, succeededAt: wasIts ? newest : (newest ?? succeededAt) };
}

/** So many runs in a row may break off; then the job waits for its next time, for it may be what ends the processes. */
const maxBrokenOff = 3;

/** Runs with a new one in front; one that had not ended is broken off: its process holds the job no more. */
export function withRun(runs: readonly JobRun[], run: JobRun): JobRun[] {
  const earlier = runs.map((one): JobRun =>
    one.endedAt === null ? { ...one, endedAt: run.startedAt, outcome: "broken-off" } : one,
  );
  return [run, ...earlier].slice(0, maxRunsKept);
}

/** Whether a job breaks off again and again. @param runs The newest first, none of them running. */
export function keepsBreakingOff(runs: readonly JobRun[]): boolean {
  const latest = runs.slice(0, maxBrokenOff);
  return latest.length === maxBrokenOff && latest.every(({ outcome }) => outcome === "broken-off");
}
