import type { AttemptOutcome } from "./modules/grading/after-attempt.ts";
import { createWorker, untilWoken, type Worker } from "./tasks/create-worker.ts";
import { deliveryStep, type DeliveryStepDeps } from "./modules/grading/delivery-worker.ts";
import type { Logger } from "./kernel/logger.ts";

/** Puts together the worker that brings scores to the LMSs. */
export function buildDeliveries(
  deps: Omit<DeliveryStepDeps, "random" | "onOutcome"> & {
    counter: { inc: (labels: { outcome: AttemptOutcome["kind"] }) => void };
    logger: Logger;
  },
): Worker {
  return createWorker(deps, {
    name: "deliveries",
    lanes: 8,
    idleMs: untilWoken,
    step: deliveryStep({
      ...deps,
      random: Math.random,
      onOutcome: (outcome) => {
        deps.counter.inc({ outcome });
      },
    }),
  });
}
