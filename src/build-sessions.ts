import { carryOutPlan, type CarryOutPlanDeps } from "./features/scheduling/carry-out-plan.ts";
import { createWorker, type Worker } from "./jobs/create-worker.ts";

/** The worker that tells the classroom what was planned: two at a time, in the background of everything else. */
export function buildSessions(deps: Omit<CarryOutPlanDeps, "ending">): { worker: Worker } {
  const ending = new AbortController();
  const worker = createWorker(deps, {
    name: "sessions",
    lanes: 2,
    idleMs: 2_000,
    step: () => carryOutPlan({ ...deps, ending: ending.signal }),
  });
  return {
    worker: {
      ...worker,
      stop: () => {
        ending.abort();
        return worker.stop();
      },
    },
  };
}
