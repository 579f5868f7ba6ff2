import type { Clock } from "../kernel/clock.ts";
import { messageOf } from "../kernel/errors.ts";
import type { Ids } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import { leaseMs, withClaim } from "../kernel/with-claim.ts";
import {
  type JobOutcome,
  type JobRun,
  type JobWork,
  outcomeOfWork,
  runToFollow,
} from "../modules/operations/rules/job.ts";
import type { JobStore } from "../modules/operations/store/upkeep-stores.ts";

/** Stored work that a job follows; counts are over all processes. */
type Backlog = {
  /** How much of what existed at a moment (ms) is due and not done. */
  countDue: (at: number) => Promise<number>;
  /** How much of what existed at a moment (ms) is not done, later retries included. */
  countLeft: (at: number) => Promise<number>;
  /** Left out where it is not known; then the difference of what is left counts. */
  countSince?: (since: number) => Promise<{ done: number; failed: number }>;
};

/** A run waits at most this long for what is due (ms). */
const waitMs = 20_000;
const pollMs = 250;

/**
 * Waits until what is due is done, by whichever process: workers are woken by what becomes due.
 * @param ending Aborted when this process is to end.
 * @returns how much was done and how much failed meanwhile, and how much still waits.
 */
export async function catchUp(
  { clock, ending }: { clock: Clock; ending: AbortSignal },
  { countDue, countLeft, countSince }: Backlog,
): Promise<JobWork> {
  const at = clock.now();
  const before = await countLeft(at);
  let due = await countDue(at);
  const idle = due === 0;
  for (let waited = 0; due > 0 && waited < waitMs && !ending.aborted; waited += pollMs) {
    await clock.sleep(pollMs, ending).catch(() => undefined);
    due = await countDue(at);
  }
  const waiting = idle ? before : await countLeft(at);
  if (countSince !== undefined) return { ...(await countSince(at)), waiting };
  return { done: Math.max(0, before - waiting), waiting };
}

export type RunJobDeps = { jobs: JobStore; process: string; clock: Clock; ids: Ids; logger: Logger };

export type RunnableJob = {
  name: string;
  /** The next time by the timetable after a moment (ms). */
  nextAfter: (at: number) => number;
  /** Repeatable. @returns how much was done, where that can be counted, and how much still waits. */
  run: () => Promise<JobWork | number | null>;
  /** For work that outlasts the run: what has been done of it since a moment (ms). */
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

async function outcomeOf(
  job: RunnableJob,
): Promise<{
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
