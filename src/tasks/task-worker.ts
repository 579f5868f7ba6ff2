import type { TaskQueues } from "../storage/task-row.ts";
import { createWorker, wakeTimeoutMs, type WorkerOptions } from "./create-worker.ts";
import type { TaskQueue } from "./task-queue.ts";
import { type Work, wokenFor } from "./work.ts";

/** Runs a kind of task in this process and makes it known: the console shows it, and its lost work is found. */
export function taskWorker(
  deps: Parameters<typeof createWorker>[0] & { tasks: Pick<TaskQueue, "register"> },
  kind: TaskQueues,
  { lanes, step }: Pick<WorkerOptions, "lanes" | "step">,
): Work {
  deps.tasks.register(kind);
  return wokenFor(createWorker(deps, { name: kind.name, lanes, idleMs: wakeTimeoutMs, step }), kind);
}

/** Tasks that ask the classroom, side by side: an account whose service hangs holds two at most (see `classroom/background-rest`). */
export const classroomLanes = 4;
