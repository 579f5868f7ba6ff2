import type { EnvironmentName } from "../../domain/registration.ts";
import type { Background } from "../../kernel/background.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { SightingStore } from "../../storage/sighting-store.ts";

/** What the last webhook of an environment is remembered under. */
export function webhookSighting(environment: EnvironmentName): string {
  return `webhook:${environment}`;
}

/** A burst of webhooks is one sighting: it is written down this often at most (ms) by each process. */
const notedEvery = 60_000;

/**
 * Notes that a webhook came. Not on the way of the webhook itself: whoever sends it waits for nothing but its own record,
 * and when the note fails the next webhook makes one.
 */
export function webhookSightings(deps: {
  sightings: Pick<SightingStore, "note">;
  background: Background;
  clock: Pick<Clock, "now">;
}): (environment: EnvironmentName) => void {
  const notedAt = new Map<EnvironmentName, number>();
  return (environment) => {
    const now = deps.clock.now();
    if (Math.abs(now - (notedAt.get(environment) ?? -Infinity)) < notedEvery) return;
    notedAt.set(environment, now);
    deps.background.run("noting that a webhook came", () =>
      deps.sightings.note(webhookSighting(environment), now).catch((thrown: unknown) => {
        notedAt.delete(environment);
        throw thrown;
      }),
    );
  };
}
