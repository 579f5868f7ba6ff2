import {
  type JobOutcome,
  type JobRun,
  type JobWork,
  outcomeOfWork,
  runToFollow,
} from "../modules/operations/rules/job.ts";
import type { Clock } from "../kernel/clock.ts";
import { messageOf } from "../kernel/errors.ts";
import type { Ids } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { JobStore } from "../modules/operations/store/upkeep-stores.ts";
import { leaseMs, withClaim } from "../kernel/with-claim.ts";

export type RunJobDeps = {
  jobs: JobStore;
  process: string;
  clock: Clock;
  ids: Ids;
  logger: Logger;
};

export type RunnableJob = {
  name: string;
  /** The next time by the timetable after a moment (ms). */
  nextAfter: (at: number) => number;
  /** Repeatable. @returns how much was done, where that can be counted, and how much still waits. */
  run: () => Promise<JobWork | number | null>;
  /** For work that outlasts the run: what has come of it since a moment (ms). */
  follow?: (since: number) => Promise<JobWork>;
};

/**
 * Runs a job that is due unless another process does, and keeps a record. It stays due until it has ended: when this
 * process dies, another one finds the claim run out, notes that the run broke off, and runs it again. A failed one
 * waits for its next time.
 * @returns whether it was run here.
 */
export async function runJobIfDue(deps: RunJobDeps, job: RunnableJob): Promise<boolean> {
  const { jobs, clock, logger } = deps;
  const startedAt = clock.now();
  const run: JobRun = {
    id: deps.ids.id("run"),
    process: deps.process,
    startedAt,
    endedAt: null,
    outcome: null,
    done: null,
    problem: null,
  };
  if (!(await jobs.begin(job.name, run, startedAt + leaseMs, job.nextAfter(startedAt)))) return false;
  const ended = await withClaim(
    deps,
    { until: startedAt + leaseMs, extend: (until) => jobs.extend(job.name, run.id, until) },
    () => outcomeOf(job),
  );
  const endedAt = clock.now();
  await jobs.end(job.name, { ...run, ...ended, endedAt }, job.nextAfter(endedAt));
  if (ended.outcome === "failed") {
    const { problem: error, done, failed } = ended;
    logger.error({ job: job.name, error, done, failed }, "a job failed; it runs again at its next time");
  }
  return true;
}

/** Updates the record of a job's latest run, for work that outlasts it. No claim: all processes count the same. */
export async function followJob(
  { jobs, clock, logger }: Pick<RunJobDeps, "jobs" | "clock" | "logger">,
  { name, follow }: Pick<RunnableJob, "name" | "follow">,
): Promise<void> {
  if (follow === undefined) return;
  const job = await jobs.find(name);
  const run = job === null ? null : runToFollow(job, clock.now());
  if (run === null) return;
  const { done, failed = 0, waiting } = await follow(run.startedAt);
  if (done === run.done && failed === (run.failed ?? 0) && waiting === run.waiting) return;
  await jobs.follow(name, run.id, { done, failed, waiting });
  if (run.outcome !== "failed" && outcomeOfWork({ done, failed }) === "failed")
    logger.error({ job: name, failed, waiting }, "all that a job has set going so far failed");
}

async function outcomeOf(job: RunnableJob): Promise<{
  outcome: JobOutcome;
  done: number | null;
  failed?: number;
  waiting?: number;
  problem: string | null;
}> {
  try {
    const work = await job.run();
    if (typeof work === "number" || work === null) return { outcome: "done", done: work, problem: null };
    return { outcome: outcomeOfWork(work), ...work, problem: null };
  } catch (thrown) {
    return { outcome: "failed", done: null, problem: messageOf(thrown) };
  }
}
