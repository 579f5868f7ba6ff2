import { schedule } from "node-cron";
import { followJob, type RunnableJob, runJobIfDue, type RunJobDeps } from "./run-job.ts";
import { messageOf } from "../kernel/errors.ts";
import type { JobName, JobWork } from "../modules/operations/rules/job.ts";
import { cronTimes } from "./cron-times.ts";

/** A job by the clock: run by one process at a time, later when its time was missed. */
export type TimetableEntry = {
  /** Stored with its runs; also the name of its message on the console. */
  name: JobName;
  /** Cron text, UTC. */
  at: string;
  /** As in `RunnableJob`; `ending` aborts when this process is to end: then the run waits no longer. */
  run: (ending: AbortSignal) => Promise<JobWork | number | null>;
  follow?: (since: number) => Promise<JobWork>;
};

export type RunningTimetable = {
  /** Runs what is due; resolves when this process has ended its runs. */
  look: () => Promise<void>;
  runNow: (name: string) => Promise<boolean>;
  stop: () => Promise<void>;
};

/** Checks each minute which jobs are due. A missed time is made up for once; a new job waits for its next time. */
export async function startTimetable(
  deps: RunJobDeps,
  entries: readonly TimetableEntry[],
  ending = new AbortController().signal,
): Promise<RunningTimetable> {
  const jobs = entries.map((entry): RunnableJob => ({
    ...entry,
    run: () => entry.run(ending),
    nextAfter: cronTimes(entry.at),
  }));
  for (const job of jobs) await deps.jobs.open(job.name, job.nextAfter(deps.clock.now()));
  const running = new Map<string, Promise<void>>();
  let stopping = false;
  const start = (job: RunnableJob): Promise<void> => {
    const already = running.get(job.name);
    if (already !== undefined) return already;
    const run = runJobIfDue(deps, job)
      .then((ran) => (ran ? undefined : followJob(deps, job)))
      .catch((thrown: unknown) => {
        deps.logger.error(
          { job: job.name, error: messageOf(thrown) },
          "a job could not be begun, ended or followed",
        );
      })
      .finally(() => running.delete(job.name));
    running.set(job.name, run);
    return run;
  };
  const look = async (): Promise<void> => {
    if (!stopping) await Promise.all(jobs.map(start));
  };
  const options = { name: "timetable", timezone: "Etc/UTC", noOverlap: false };
  // Of a machine that was asleep it would print a line for each minute missed, which is no JSON; the next look starts what is due.
  const task = schedule("* * * * *", look, { ...options, suppressMissedWarning: true });
  void look();
  return {
    look,
    runNow: async (name) => {
      const job = jobs.find((one) => one.name === name);
      if (job === undefined) return false;
      await deps.jobs.want(name, deps.clock.now());
      if (!stopping) void start(job);
      return true;
    },
    stop: async () => {
      stopping = true;
      await task.destroy();
      await Promise.all(running.values());
    },
  };
}
