import { carryOutNext, type CarryOutMarkDeps } from "./modules/attendance/carry-out-mark.ts";
import { createWorker, untilWoken, type Worker } from "./tasks/create-worker.ts";
import type { Logger } from "./kernel/logger.ts";

/** Puts together the worker that goes on with what instructors said about sessions and no page waits for any more. */
export function buildAttendance(deps: CarryOutMarkDeps & { logger: Logger }): { worker: Worker } {
  const worker = createWorker(deps, {
    name: "attendance marks",
    lanes: 2,
    idleMs: untilWoken,
    step: () => carryOutNext(deps),
  });
  return { worker };
}
