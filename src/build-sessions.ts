import { carryOutPlan, type CarryOutPlanDeps } from "./modules/scheduling/carry-out-plan.ts";
import { tellLeftSpaceChange, type TellLeftSpaceChangeDeps } from "./modules/links/tell-space-change.ts";
import { createWorker, untilWoken, type Worker } from "./tasks/create-worker.ts";

/**
 * The worker that tells the classroom what was planned, two at a time, in the background of everything else; and of a
 * changed Space when whoever changed it did not live to tell.
 */
export function buildSessions(deps: Omit<CarryOutPlanDeps, "ending"> & TellLeftSpaceChangeDeps): {
  worker: Worker;
} {
  const ending = new AbortController();
  const worker = createWorker(deps, {
    name: "sessions",
    lanes: 2,
    idleMs: untilWoken,
    step: async () =>
      (await carryOutPlan({ ...deps, ending: ending.signal })) || (await tellLeftSpaceChange(deps)),
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
