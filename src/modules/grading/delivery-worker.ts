import type { DeliverScoreDeps } from "./deliver-score.ts";
import { deliverScores } from "./deliver-scores.ts";
import type { LmsPauses } from "../../lms/lms-pauses.ts";
import { leaseMs } from "../../kernel/with-claim.ts";

/**
 * Scores sent to one LMS at a time. With more, Canvas throttles (about twelve calls fill its bucket) and Moodle is no
 * faster. Processes that begin together may exceed `overall` by a few.
 */
const perRegistration = { inProcess: 3, overall: 6 };

/** Scores of a column, after one reading of the gradebook. */
const stepSize = 25;

export type DeliveryStepDeps = DeliverScoreDeps & { pauses: Pick<LmsPauses, "ofScores"> };

/** When a paused LMS is looked up again (ms): the process that saw it come back may have ended. */
const pausedPollMs = 60_000;

/** Claims the score due longest with others of its column, within each LMS's lanes and not during its pause. */
export function deliveryStep(deps: DeliveryStepDeps): () => Promise<boolean> {
  const inFlight = new Map<string, number>();
  const pausedUntil = new Map<string, number>();

  const passOver = (now: number) => async (registrationId: string) => {
    const until = pausedUntil.get(registrationId) ?? 0;
    if (until > now) return { until };
    const pause = await deps.pauses.ofScores(registrationId);
    if (pause !== null) return { until: Math.min(pause.nextTryAt, now + pausedPollMs) };
    if ((inFlight.get(registrationId) ?? 0) >= perRegistration.inProcess) return "busy";
    return (await deps.deliveries.busyLanes(registrationId, now)) >= perRegistration.overall ? "busy" : null;
  };
  return async () => {
    const now = deps.clock.now();
    const holder = deps.ids.id("hold");
    const delivery = await deps.deliveries.claimDue(holder, now, now + leaseMs, passOver(now));
    if (delivery === null) return false;
    const { registrationId } = delivery;
    if ((inFlight.get(registrationId) ?? 0) >= perRegistration.inProcess) {
      await deps.deliveries.release([delivery.id], holder);
      return true;
    }
    inFlight.set(registrationId, (inFlight.get(registrationId) ?? 0) + 1);
    try {
      const until = now + leaseMs;
      const others = await deps.deliveries.claimAlso(delivery, holder, now, until, stepSize - 1);
      const { pauseFor } = await deliverScores(deps, [delivery, ...others], holder);
      if (pauseFor > 0) pausedUntil.set(registrationId, deps.clock.now() + pauseFor);
      return true;
    } finally {
      inFlight.set(registrationId, (inFlight.get(registrationId) ?? 1) - 1);
    }
  };
}
