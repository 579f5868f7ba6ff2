import type { AccountId } from "../domain/account.ts";
import type { Background } from "../kernel/background.ts";
import type { Clock } from "../kernel/clock.ts";
import type { WebhookArrivalStore } from "../modules/operations/store/webhook-arrival-store.ts";

export type WebhookSecret = "current" | "previous";

/** One write for a burst. */
const writeIntervalMs = 10_000;

/**
 * Notes that webhooks come, and with which secret, so that operators see when they stop and when the previous secret is unused.
 * Not awaited.
 */
export function createWebhookNotes(deps: {
  webhookArrivals: Pick<WebhookArrivalStore, "note">;
  background: Background;
  clock: Clock;
}): (environment: AccountId, secret: WebhookSecret) => void {
  const notedAt = new Map<string, number>();
  return (environment, secret) => {
    const now = deps.clock.now();
    const key = `${environment} ${secret}`;
    const last = notedAt.get(key);
    if (last !== undefined && Math.abs(now - last) < writeIntervalMs) return;
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
