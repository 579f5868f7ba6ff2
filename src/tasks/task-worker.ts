import type { TaskQueues } from "../storage/task-lists.ts";
import { createWorker, type WorkerOptions } from "./create-worker.ts";
import type { TaskQueue } from "./task-queue.ts";
import { type Work, wokenFor } from "./work.ts";

/** Runs a kind of task in this process and makes it known: the console shows it, and its lost work is found. */
export function taskWorker(
  deps: Parameters<typeof createWorker>[0] & { tasks: Pick<TaskQueue, "register"> },
  kind: TaskQueues,
  { lanes, step }: Pick<WorkerOptions, "lanes" | "step">,
): Work {
  deps.tasks.register(kind);
  return wokenFor(createWorker(deps, { name: kind.name, lanes, step }), kind);
}

/** Tasks that ask the classroom, side by side: an account whose service hangs holds two at most (see `classroom/background-rest`). */
const classroomLanes = 4;

/** As `taskWorker`, for tasks that ask the classroom: one at a time where there is one account, else several. */
export function classroomTaskWorker(
  deps: Parameters<typeof taskWorker>[0] & { accounts: { ids: () => readonly string[] } },
  kind: TaskQueues,
  step: WorkerOptions["step"],
): Work {
  let running = 0;
  return taskWorker(deps, kind, {
    lanes: classroomLanes,
    step: async (ending) => {
      if (running > 0 && deps.accounts.ids().length < 2) return false;
      running += 1;
      try {
        return await step(ending);
      } finally {
        running -= 1;
      }
    },
  });
}
