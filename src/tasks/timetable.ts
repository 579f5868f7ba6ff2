import { hostname } from "node:os";
import { createTask } from "node-cron";
import type { DueHeads } from "../storage/due-heads.ts";
import { namesOf, type WakeKind } from "./work.ts";
import { messageOf } from "../kernel/errors.ts";
import { dayMs, hourMs, minuteMs, type Clock } from "../kernel/clock.ts";
import {
  type JobName,
  type JobWork,
  type JobOutcome,
  type JobRun,
  outcomeOfWork,
  runToFollow,
} from "../modules/operations/rules/job.ts";
import { createWorker } from "./create-worker.ts";
import type { Ids } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import { leaseMs, withClaim } from "../kernel/with-claim.ts";
import type { JobStore } from "../modules/operations/store/upkeep-stores.ts";

/** A job that runs by the clock, in one process at a time. A missed run is made up for later. */
export type TimetableEntry = {
  /** Stored with its runs; also the name of its message on the console. */
  name: JobName;
  /** A cron text in UTC. */
  at: string;
  /** Checked each minute: reasons to run before its time. If none holds, there is no run and no record of a run. */
  sooner?: { due?: readonly WakeKind[]; isNeeded?: () => Promise<boolean> };
  /** As in `RunnableJob`. `ending` aborts when this process must end; then the run waits no longer. */
  run: (ending: AbortSignal) => Promise<JobWork | number | null>;
  follow?: (since: number) => Promise<JobWork>;
};

export type TimetableDeps = RunJobDeps & { dueHeads: Pick<DueHeads, "kindsDue"> };
type RunningTimetable = Awaited<ReturnType<typeof startTimetable>>;
type Due = { jobs: readonly string[]; kinds: ReadonlyMap<string, number> };

/** Checks each minute which jobs and kinds of work are due, with one read for each. A missed run is made up for once; a new job waits. */
export async function startTimetable(
  deps: TimetableDeps,
  entries: readonly TimetableEntry[],
  ending = new AbortController().signal,
) {
  const { clock, logger } = deps;
  const jobs = entries.map((entry) => ({
    ...entry,
    run: () => entry.run(ending),
    nextAfter: cronTimes(entry.at),
  }));
  type TimedJob = (typeof jobs)[number];
  for (const job of jobs) await deps.jobs.open(job.name, job.nextAfter(clock.now()));
  const running = new Map<string, Promise<void>>();
  const once = (job: TimedJob, work: () => Promise<void>): Promise<void> => {
    const already = running.get(job.name);
    if (already !== undefined) return already;
    const run = work()
      .catch((thrown: unknown) => {
        logger.error(
          { job: job.name, error: messageOf(thrown) },
          "a job could not be begun, ended or followed",
        );
      })
      .finally(() => running.delete(job.name));
    running.set(job.name, run);
    return run;
  };
  const isNeeded = async ({ sooner: { due = [], ...sooner } = {} }: TimedJob, kinds: Due["kinds"]) =>
    due.flatMap(namesOf).some((kind) => kinds.has(kind)) || (await sooner.isNeeded?.()) === true;
  const runOrFollow = async (job: TimedJob, { jobs: names, kinds }: Due): Promise<void> => {
    const isDue = names.includes(job.name);
    if (isDue || (await isNeeded(job, kinds))) {
      if (!isDue) await deps.jobs.makeDue(job.name, clock.now());
      if (await runJobIfDue(deps, job)) return;
    }
    await followJob(deps, job);
  };
  /** Starts what is due. @returns a promise for the end */
  const begin = async (): Promise<{ ended: Promise<unknown> }> => {
    const now = clock.now();
    const due = { jobs: await deps.jobs.listDue(now), kinds: await deps.dueHeads.kindsDue(now) };
    const begun = jobs.map((job) => once(job, () => runOrFollow(job, due)));
    return { ended: Promise.all(begun) };
  };
  const looking = createWorker(deps, {
    name: "timetable",
    lanes: 1,
    // A run may take hours, so the next check doesn't wait for it.
    step: async () => {
      await begin();
      return minuteMs - (clock.now() % minuteMs);
    },
  });
  looking.start();
  return {
    /** Starts what is due, and resolves when this process has finished its runs. */
    check: async () => {
      const { ended } = await begin();
      await ended;
    },
    runNow: async (name: string) => {
      const job = jobs.find((one) => one.name === name);
      if (job === undefined) return false;
      await deps.jobs.makeDue(name, deps.clock.now());
      const run = async () => {
        if (!ending.aborted) await once(job, () => runOrFollow(job, { jobs: [name], kinds: new Map() }));
      };
      // A run under way may have found that the job wasn't due yet.
      void (running.get(name)?.then(run) ?? run());
      return true;
    },
    stop: async () => {
      await looking.stop();
      await Promise.all(running.values());
    },
  };
}

export type Timetable = ReturnType<typeof createTimetable>;

export function createTimetable(deps: Omit<TimetableDeps, "process">) {
  const ending = new AbortController();
  let running: Promise<RunningTimetable> | null = null;
  return {
    /** Resolves when the jobs are stored and the first check has started. */
    start: async (entries: readonly TimetableEntry[]) => {
      const name = `${hostname()} ${process.pid}`;
      running ??= startTimetable({ ...deps, process: name }, entries, ending.signal);
      await running;
    },
    /** Makes a job run now, here or in another process. @returns false for an unknown job */
    runNow: async (name: string) => (await running)?.runNow(name) ?? false,
    /** Starts no new runs, and resolves when the runs here have ended. */
    stop: async () => {
      ending.abort();
      await (await running)?.stop();
    },
  };
}

/** Every job must run within this many days; a cron text that doesn't is a mistake. */
const furthestDays = 8;

/**
 * The times of a cron text (five fields, UTC).
 * @returns a function that finds the next time after a moment (ms), exclusive.
 * @throws Error if node-cron doesn't understand the text, or it has no time within eight days.
 */
export function cronTimes(text: string): (after: number) => number {
  const known = times.get(text) ?? readCron(text);
  times.set(text, known);
  return known;
}

/** By text, because several jobs have the same one. */
const times = new Map<string, (after: number) => number>();

function readCron(text: string): (after: number) => number {
  const fields = text.trim().split(/\s+/);
  const [minutes = "", hours = "", ...days] = fields;
  if (fields.length !== 5) throw new Error(`The cron text "${text}" has not five fields.`);
  // Finds the day first, then the hour, then the minute: checking eight days minute by minute would take longer than the rest of a start.
  const isDay = matcher(`* * ${days.join(" ")}`);
  const isHour = matcher(`* ${hours} * * *`);
  const isMinute = matcher(`${minutes} * * * *`);
  // Callers ask again until the time has come, and each answer costs some formatting of dates.
  let last = { from: Infinity, to: Infinity };
  return (after) => {
    if (after >= last.from && after < last.to) return last.to;
    const first = (Math.floor(after / minuteMs) + 1) * minuteMs;
    const end = first + furthestDays * dayMs;
    for (let at = first; at <= end;) {
      if (!isDay(at)) at = nextMultiple(at, dayMs);
      else if (!isHour(at)) at = nextMultiple(at, hourMs);
      else if (!isMinute(at)) at += minuteMs;
      else {
        last = { from: after, to: at };
        return at;
      }
    }
    throw new Error(`The cron text "${text}" has no time within eight days.`);
  };
}

function matcher(text: string): (at: number) => boolean {
  const task = createTask(text, () => undefined, { timezone: "Etc/UTC" });
  return (at) => task.match(new Date(at));
}

/** The next whole day or hour after a moment (ms), in UTC. */
function nextMultiple(at: number, of: number): number {
  return (Math.floor(at / of) + 1) * of;
}

/** Stored work whose progress a job follows. Counts are over all processes. */
type Backlog = {
  /** How much of the work that existed at a moment (ms) is due. */
  countDue: (at: number) => Promise<number>;
  /** How much of the work that existed at a moment (ms) isn't done, including later retries. */
  countLeft: (at: number) => Promise<number>;
  /** Left out: what was done follows from how much less is left. */
  countSince?: (since: number) => Promise<{ done: number; failed: number }>;
};

/** A run waits at most this long (ms) for work that is due. */
const waitMs = 20_000;
const pollMs = 250;

/**
 * Waits until all due work is done, in any process. Due work wakes its workers.
 * @param ending Aborts when this process must end.
 * @returns how much was done, how much failed, and how much still waits.
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

type RunJobDeps = { jobs: JobStore; process: string; clock: Clock; ids: Ids; logger: Logger };

export type RunnableJob = {
  name: string;
  /** The next time by the timetable after a moment (ms). */
  nextAfter: (at: number) => number;
  /** May run repeatedly. @returns how much was done and how much still waits, if that can be counted */
  run: () => Promise<JobWork | number | null>;
  /** For work that outlasts the run: how much has been done since a moment (ms). */
  follow?: (since: number) => Promise<JobWork>;
};

/**
 * Runs a due job, unless another process does, and records the run. The job stays due until it has ended: if this process dies,
 * another one finds the expired claim, notes that the run broke off, and runs the job again. A failed job waits for its next
 * time.
 * @returns whether it ran here.
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

/** Updates the record of a job's latest run while its work continues. Needs no claim, because all processes count the same. */
async function followJob(
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
    logger.error({ job: name, failed, waiting }, "everything that a job has started so far has failed");
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
