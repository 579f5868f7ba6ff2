import type { EnvironmentName } from "../domain/registration.ts";
import type { Background } from "../kernel/background.ts";
import type { Clock } from "../kernel/clock.ts";
import type { WebhookArrivalStore } from "../modules/operations/store/webhook-arrival-store.ts";

/** Which of an environment's secrets a webhook came with. */
export type WebhookSecret = "current" | "previous";

/** A burst writes one record in so long (ms), not one for each webhook. */
const roughly = 10_000;

/**
 * Notes that webhooks come and with which secret, so that operators see when one went missing and when the secret from
 * before a rotation is not used any more. Nobody waits for it.
 */
export function createWebhookNotes(deps: {
  webhookArrivals: Pick<WebhookArrivalStore, "note">;
  background: Background;
  clock: Clock;
}): (environment: EnvironmentName, secret: WebhookSecret) => void {
  const notedAt = new Map<string, number>();
  return (environment, secret) => {
    const now = deps.clock.now();
    const key = `${environment} ${secret}`;
    const last = notedAt.get(key);
    if (last !== undefined && Math.abs(now - last) < roughly) return;
    notedAt.set(key, now);
    deps.background.run("note a webhook", () =>
      deps.webhookArrivals.note(environment, secret, now).catch((thrown: unknown) => {
        // The next webhook is noted instead.
        notedAt.delete(key);
        throw thrown;
      }),
    );
  };
}
