import { hostname } from "node:os";
import {
  type RunningTimetable,
  startTimetable,
  type TimetableDeps,
  type TimetableEntry,
} from "./start-timetable.ts";

export type Timetable = {
  /** Resolves when the jobs are stored and the first check has begun. */
  start: (entries: readonly TimetableEntry[]) => Promise<void>;
  /** Has a job run now, here or in another process. @returns false for an unknown job. */
  runNow: (name: string) => Promise<boolean>;
  /** Starts nothing more; resolves when what runs here has ended. */
  stop: () => Promise<void>;
};

export function createTimetable(deps: Omit<TimetableDeps, "process">): Timetable {
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
