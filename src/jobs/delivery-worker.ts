import type { DeliverScoreDeps } from "../features/grading/deliver-score.ts";
import { deliverScores } from "../features/grading/deliver-scores.ts";
import { claimLasts } from "../features/with-claim.ts";

/**
 * Scores sent side by side to one LMS, by each process and by all together; more makes Canvas throttle (about twelve
 * calls fill its bucket) and Moodle no faster. Processes that begin at the same moment may go over the second by a few.
 */
const perRegistration = { inProcess: 3, overall: 6 };

/** So many scores of one column go out in one step at most, after one reading of what the gradebook shows. */
const inOneStep = 25;

/**
 * One step of delivering: claims the score that is due longest, along with others of its column, and makes the LMS have
 * them. Keeps each LMS to its share of the lanes and leaves one alone that asked for a pause.
 */
export function deliveryStep(deps: DeliverScoreDeps): () => Promise<boolean> {
  const inFlight = new Map<string, number>();
  const pausedUntil = new Map<string, number>();

  const unavailable = async (now: number): Promise<string[]> => {
    const overall = await deps.deliveries.busyLanes(now);
    const busy = [
      ...[...inFlight].filter(([, count]) => count >= perRegistration.inProcess),
      ...[...overall].filter(([, count]) => count >= perRegistration.overall),
      ...[...pausedUntil].filter(([, until]) => until > now),
    ];
    return [...new Set(busy.map(([id]) => id))];
  };
  return async () => {
    const now = deps.clock.now();
    const holder = deps.ids.id("hold");
    const delivery = await deps.deliveries.claimDue(holder, now, now + claimLasts, await unavailable(now));
    if (delivery === null) return false;
    const { registrationId } = delivery;
    if ((inFlight.get(registrationId) ?? 0) >= perRegistration.inProcess) {
      // Another lane took one at the same moment.
      await deps.deliveries.release([delivery.id], holder);
      return true;
    }
    inFlight.set(registrationId, (inFlight.get(registrationId) ?? 0) + 1);
    try {
      const until = now + claimLasts;
      const others = await deps.deliveries.claimAlso(delivery, holder, now, until, inOneStep - 1);
      const { pauseFor } = await deliverScores(deps, [delivery, ...others], holder);
      if (pauseFor > 0) pausedUntil.set(registrationId, deps.clock.now() + pauseFor);
      return true;
    } finally {
      inFlight.set(registrationId, (inFlight.get(registrationId) ?? 1) - 1);
    }
  };
}
