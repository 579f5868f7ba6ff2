import { deliverScore, type DeliverScoreDeps } from "../features/grading/deliver-score.ts";
import { claimLasts } from "../features/with-claim.ts";

/**
 * Scores sent side by side to one LMS by each process; more makes Canvas throttle (about twelve calls fill its bucket)
 * and Moodle no faster. Processes do not count each other's: three of them stay below Canvas's limit, and with more
 * its throttling makes each one pause.
 */
const perRegistration = 3;

/**
 * One step of delivering: claims the score that is due longest and makes the LMS have it. Keeps each LMS to its
 * share of the lanes and leaves one alone that asked for a pause.
 */
export function deliveryStep(deps: DeliverScoreDeps): () => Promise<boolean> {
  const inFlight = new Map<string, number>();
  const pausedUntil = new Map<string, number>();

  const unavailable = (now: number) => [
    ...[...inFlight].filter(([, count]) => count >= perRegistration).map(([id]) => id),
    ...[...pausedUntil].filter(([, until]) => until > now).map(([id]) => id),
  ];
  return async () => {
    const now = deps.clock.now();
    const holder = deps.ids.id("hold");
    const delivery = await deps.deliveries.claimDue(holder, now, now + claimLasts, unavailable(now));
    if (delivery === null) return false;
    const { registrationId } = delivery;
    inFlight.set(registrationId, (inFlight.get(registrationId) ?? 0) + 1);
    try {
      const { pauseFor } = await deliverScore(deps, delivery, holder);
      if (pauseFor > 0) pausedUntil.set(registrationId, deps.clock.now() + pauseFor);
      return true;
    } finally {
      inFlight.set(registrationId, (inFlight.get(registrationId) ?? 1) - 1);
    }
  };
}
