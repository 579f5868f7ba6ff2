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

/** "incomplete": some of it failed; "failed": all of it, or the run itself; "broken-off": its process died. */
export type JobOutcome = "done" | "incomplete" | "failed" | "broken-off";

/** In the job's own unit; `failed` is 0 when left out; `waiting` is still to be done. */
export type JobWork = { done: number; failed?: number; waiting: number };

/** The outcome of a run that came to its end. */
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
  /** In the job's own unit; null when the job does not count. */
  done: number | null;
  /** Left out by jobs that do not count it, and by runs of earlier versions. */
  failed?: number | null;
  /** Still to be done at the end; null when the job does not count it, left out by runs of earlier versions. */
  waiting?: number | null;
  /** Why it failed; null when it did not. */
  problem: string | null;
};

export type Job = {
  name: string;
  /** The next run (ms); stays until a run has ended, so another process takes over. */
  dueAt: number;
  /** Newest first. */
  runs: readonly JobRun[];
  /** When a run last ended well (ms); null for never. */
  succeededAt: number | null;
};

const maxRunsStored = 50;

/** How long the latest run's record is updated for a job whose work continues. */
const runWindowMs = 6 * 60 * 60_000;

/** The run whose record is to be updated: the last one, if it ended well and lately; else null. */
export function runToFollow({ runs: [last] }: Pick<Job, "runs">, now: number): JobRun | null {
  if (last === undefined || last.endedAt === null || last.waiting == null) return null;
  return now - last.startedAt <= runWindowMs ? last : null;
}

/** A job after an update of an ended run: a success that turned out to be none is forgotten. */
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

/** After this many in a row the job waits for its next time: it may be what ends the processes. */
const maxBrokenOff = 3;

/** A run in front that had not ended is broken off: its process has lost the job. */
export function withRun(runs: readonly JobRun[], run: JobRun): JobRun[] {
  const earlier = runs.map((one): JobRun =>
    one.endedAt === null ? { ...one, endedAt: run.startedAt, outcome: "broken-off" } : one,
  );
  return [run, ...earlier].slice(0, maxRunsStored);
}

/** Whether a job breaks off again and again. @param runs The newest first, none of them running. */
export function keepsBreakingOff(runs: readonly JobRun[]): boolean {
  const latest = runs.slice(0, maxBrokenOff);
  return latest.length === maxBrokenOff && latest.every(({ outcome }) => outcome === "broken-off");
}

/** A job due for this long is run by nobody. */
const overdueMs = 15 * 60_000;

/** Whether a job needs an operator: it is late, failed last, or breaks off again and again. */
export function isStuck({ dueAt, runs }: Pick<Job, "dueAt" | "runs">, now: number): boolean {
  const [last] = runs;
  const lateBy = last?.endedAt === null ? now - last.startedAt : now - dueAt;
  return (
    lateBy > overdueMs ||
    last?.outcome === "failed" ||
    keepsBreakingOff(runs.filter(({ endedAt }) => endedAt !== null))
  );
}
