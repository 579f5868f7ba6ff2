import { closedPauseMs } from "./rules/provisioning.ts";
import type { AccountId } from "../../domain/account.ts";
import { provisionPerson, type ProvisionPersonDeps, type ProvisioningOutcome } from "./provision-person.ts";
import { leaseMs } from "../../kernel/with-claim.ts";
import type { Logger } from "../../kernel/logger.ts";
import { createWorker, type Worker } from "../../tasks/create-worker.ts";

/** Refusals in a row that point to the classroom instead of the people. */
const maxRefusals = 5;
const firstPauseMs = 5_000;
const maxPauseMs = 10 * 60_000;

export type ProvisioningStepDeps = Omit<ProvisionPersonDeps, "ending"> & {
  onOutcome: (outcome: ProvisioningOutcome) => void;
};

/** Calls of one second; more lanes would only wait for the throttle. */
const lanes = 4;

export function provisioningWorker(deps: ProvisioningStepDeps & { logger: Logger }): Worker {
  const step = provisioningStep(deps);
  return createWorker(deps, { name: "provisioning", lanes, step });
}

/** LMSs take turns, then courses, then people by waiting time. While the classroom fails, pauses grow. */
export function provisioningStep(deps: ProvisioningStepDeps): (ending: AbortSignal) => Promise<boolean> {
  const { provisioning, clock } = deps;
  const trouble = createTrouble();
  let lastLms = "";

  return async (ending) => {
    const now = clock.now();
    const resting = trouble.resting(now);
    const lms = await provisioning.nextLms(lastLms, now, resting);
    if (lms === null) return false;
    lastLms = lms;
    const turn = await provisioning.takeTurn(lms, now, resting);
    if (turn === null) return true; // another lane was faster
    const holder = deps.ids.id("hold");
    const due = await provisioning.claim(turn, holder, now, now + leaseMs);
    if (due === null) {
      await provisioning.rest(turn);
      return true;
    }
    const outcome = await provisionPerson({ ...deps, ending }, due, holder);
    if (outcome === "shut") await provisioning.postpone(turn, clock.now() + closedPauseMs);
    trouble.learn(turn.environment, outcome, clock.now());
    deps.onOutcome(outcome);
    return true;
  };
}

function createTrouble() {
  const seen = new Map<AccountId, { failures: number; refusals: number; until: number }>();
  return {
    resting: (now: number): AccountId[] =>
      [...seen].filter(([, { until }]) => until > now).map(([environment]) => environment),
    learn: (environment: AccountId, outcome: ProvisioningOutcome, now: number): void => {
      if (outcome === "made" || outcome === "renamed") seen.delete(environment);
      if (outcome !== "failed" && outcome !== "refused") return;
      const known = seen.get(environment) ?? { failures: 0, refusals: 0, until: 0 };
      const refusals = outcome === "refused" ? known.refusals + 1 : known.refusals;
      if (outcome === "refused" && refusals < maxRefusals) {
        seen.set(environment, { ...known, refusals });
        return;
      }
      // Lanes that fail together are one failure.
      const failures = known.until > now ? known.failures : known.failures + 1;
      const until = now + Math.min(firstPauseMs * 2 ** Math.min(failures - 1, 10), maxPauseMs);
      seen.set(environment, { failures, refusals, until });
    },
  };
}
