import { hostname } from "node:os";
import type { RunJobDeps } from "./run-job.ts";
import { type RunningTimetable, startTimetable, type TimetableEntry } from "./start-timetable.ts";

/** What happens by the clock. */
export type Timetable = {
  /** Resolves when the jobs are in the store and the first of them are looked at. */
  start: (entries: readonly TimetableEntry[]) => Promise<void>;
  /** Wants a run of a job now, here or in another process. @returns false when there is no such job. */
  runNow: (name: string) => Promise<boolean>;
  /** Starts nothing more and resolves when what runs here has ended. */
  stop: () => Promise<void>;
};

/** The timetable of this process, which is told its entries when it starts. */
export function createTimetable(deps: Omit<RunJobDeps, "process">): Timetable {
  const ending = new AbortController();
  let running: Promise<RunningTimetable> | null = null;
  return {
    start: async (entries) => {
      const name = `${hostname()} ${process.pid}`;
      running ??= startTimetable({ ...deps, process: name }, entries, ending.signal);
      await running;
    },
    runNow: async (name) => (await running)?.runNow(name) ?? false,
    stop: async () => {
      ending.abort();
      await (await running)?.stop();
    },
  };
}
