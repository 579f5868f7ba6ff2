/** Names in the store and in the catalogues. */
export const jobNames = [
  "read-attendance",
  "process-webhooks",
  "deliver-scores",
  "watch-unsent-scores",
  "prepare-people",
  "authorize-ahead",
  "read-rosters",
  "renew-keys",
  "find-forgotten-work",
  "log-audit",
  "purge",
  "count-usage",
  "tell-alarms",
  "send-reminders",
  "send-weekly-mails",
] as const;
export type JobName = (typeof jobNames)[number];

/** "incomplete": part of it failed. "failed": all of it failed, or the run itself. "broken-off": its process died. */
export type JobOutcome = "done" | "incomplete" | "failed" | "broken-off";

/** In the job's own unit. `failed`: default 0. `waiting`: still to be done. */
export type JobWork = { done: number; failed?: number; waiting: number };

/** The outcome of a run that ended. */
export function outcomeOfWork({ done, failed = 0 }: Pick<JobWork, "done" | "failed">): JobOutcome {
  if (failed === 0) return "done";
  return done === 0 ? "failed" : "incomplete";
}

export type JobRun = {
  id: string;
  process: string;
  startedAt: number;
  endedAt: number | null;
  outcome: JobOutcome | null;
  /** In the job's own unit. Null if the job doesn't count it. */
  done: number | null;
  /** Left out by jobs that don't count it, and by runs of earlier versions. */
  failed?: number | null;
  /** What is still to be done at the end. Null if the job doesn't count it, left out by runs of earlier versions. */
  waiting?: number | null;
  /** Why it failed. Null if it didn't. */
  problem: string | null;
};

export type Job = {
  name: string;
  /** The next run (ms). Stays until a run has ended, so another process can take over. */
  dueAt: number;
  /** Newest first. */
  runs: readonly JobRun[];
  /** When a run last succeeded (ms). Null for never. */
  succeededAt: number | null;
};

const maxRunsStored = 50;

/** How long the latest run's record is updated for a job whose work continues. */
const runWindowMs = 6 * 60 * 60_000;

/** The run whose record to update: the last one, if it ended well and recently. Otherwise null. */
export function runToFollow({ runs: [last] }: Pick<Job, "runs">, now: number): JobRun | null {
  if (last === undefined || last.endedAt === null || last.waiting == null) return null;
  return now - last.startedAt <= runWindowMs ? last : null;
}

/** A job after an ended run was updated. A success that proved to be a failure is forgotten. */
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

/** After breaking off this often in a row, the job waits for its next time, because it may be what ends the processes. */
const maxBrokenOff = 3;

/** If the run before hasn't ended, it's broken off, because its process has lost the job. */
export function withRun(runs: readonly JobRun[], run: JobRun): JobRun[] {
  const earlier = runs.map((one): JobRun =>
    one.endedAt === null ? { ...one, endedAt: run.startedAt, outcome: "broken-off" } : one,
  );
  return [run, ...earlier].slice(0, maxRunsStored);
}

/** Whether a job breaks off again and again. @param runs Newest first, none still running. */
export function keepsBreakingOff(runs: readonly JobRun[]): boolean {
  const latest = runs.slice(0, maxBrokenOff);
  return latest.length === maxBrokenOff && latest.every(({ outcome }) => outcome === "broken-off");
}

/** If a job has been due for this long, nobody runs it. */
const overdueMs = 15 * 60_000;

/** Whether a job needs an operator: it's late, failed last, or breaks off again and again. */
export function isStuck({ dueAt, runs }: Pick<Job, "dueAt" | "runs">, now: number): boolean {
  const [last] = runs;
  const lateBy = last?.endedAt === null ? now - last.startedAt : now - dueAt;
  return (
    lateBy > overdueMs ||
    last?.outcome === "failed" ||
    keepsBreakingOff(runs.filter(({ endedAt }) => endedAt !== null))
  );
}
