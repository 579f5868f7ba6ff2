import type { EnvironmentName } from "./domain/registration.ts";
import type { ProvisioningOutcome } from "./modules/members/provision-person.ts";
import type { WantApiUsersDeps } from "./modules/members/want-api-users.ts";
import { createWorker, untilWoken, type Worker } from "./tasks/create-worker.ts";
import { provisioningStep, type ProvisioningStepDeps } from "./modules/members/provisioning-worker.ts";

/** The worker that makes API users ahead. */
export type ProvisioningPart = {
  /** What those who put people on its list need. */
  wanting: Pick<WantApiUsersDeps, "provisionsOf" | "onApiUsersWanted">;
  worker: Worker;
};

/** As many calls as a second allows may be under way; more lanes would only wait in the throttle's line. */
const lanes = 4;

/** Puts together the making of API users ahead. */
export function buildProvisioning(
  deps: Omit<ProvisioningStepDeps, "provisionsOf" | "onApiUsersWanted" | "ending" | "onOutcome"> & {
    config: { environments: Partial<Record<EnvironmentName, unknown>> };
    counter: { inc: (labels: { outcome: ProvisioningOutcome }) => void };
  },
): ProvisioningPart {
  const ending = new AbortController();
  const wanting = {
    provisionsOf: (environment: EnvironmentName) => {
      const makes = deps.config.environments[environment] !== undefined;
      return { makes, renames: makes && deps.classroomOf(environment).updateApiUser !== null };
    },
    onApiUsersWanted: () => {
      worker.wake();
    },
  };
  const worker = createWorker(deps, {
    name: "provisioning",
    lanes,
    idleMs: untilWoken,
    step: provisioningStep({
      ...deps,
      ...wanting,
      ending: ending.signal,
      onOutcome: (outcome) => {
        deps.counter.inc({ outcome });
      },
    }),
  });
  return {
    wanting,
    worker: {
      ...worker,
      stop: () => {
        ending.abort();
        return worker.stop();
      },
    },
  };
}
