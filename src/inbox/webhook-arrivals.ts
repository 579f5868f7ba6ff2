import type { App } from "../app.ts";
import type { AccountId } from "../domain/account.ts";
import type { Background } from "../kernel/async.ts";
import { type Clock, dayMs, hourMs } from "../kernel/clock.ts";
import type { Logger } from "../kernel/logger.ts";
import { refusal } from "../kernel/refusal.ts";
import type { WebhookArrivalStore } from "../modules/operations/store/webhook-stores.ts";
import type { ReceiptEffect } from "./receipt-effect.ts";

type WebhookSecret = "current" | "previous";

/** A burst of webhooks causes one write in this time. */
const writeIntervalMs = 10_000;

/** Notes when webhooks come, and with which secret. Operators see when they stop, and when the previous secret is unused. Not awaited. */
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
        // If this fails, the next webhook is noted instead.
        notedAt.delete(key);
        throw thrown;
      }),
    );
  };
}

/** How often the log says it; the metric counts every time. */
const logIntervalMs = hourMs;

/** Reports webhooks that still carry the previous secret; it can go once metric and log are silent. The secret isn't logged. */
export function watchPreviousSecret(deps: {
  onUse: (environment: AccountId) => void;
  clock: Clock;
  logger: Logger;
}): (environment: AccountId, secret: WebhookSecret) => void {
  const loggedAt = new Map<AccountId, number>();
  return (environment, secret) => {
    if (secret === "current") return;
    deps.onUse(environment);
    const now = deps.clock.now();
    if (now - (loggedAt.get(environment) ?? -Infinity) < logIntervalMs) return;
    loggedAt.set(environment, now);
    deps.logger.warn(
      { environment },
      "webhooks still come with the previous secret: set the current one in the classroom before taking the previous one away",
    );
  };
}

/** The most an account may have stored in a day (UTC) without any effect: 100,000 usual webhooks. */
export const maxUnusedBytesADay = 64 * 1024 * 1024;
/** What the database stores besides each body. */
const recordBytes = 300;
/** The bytes above this count as useless. The document's webhooks have a few hundred. */
const usualBytes = 4 * 1024;
/** A process asks the store again after receiving this many bytes, or after this long. */
const maxUnseenBytes = 4 * 1024 * 1024;
const maxUnseenMs = 5_000;
/** An alarm needs to be written only once in this time. */
const noteIntervalMs = 60_000;

/** @throws NamedError "allowance-used" (429) for the rest of the day, once an account has sent too much without effect */
export type CheckAllowance = (account: AccountId, bodyBytes: number) => Promise<void>;

/** Limits what an account may store. Without it, anybody with an account's secret could fill the disk that all accounts share. */
export function createAllowance({
  webhookArrivals,
  clock,
  background,
  logger,
}: Pick<App, "webhookArrivals" | "clock" | "background" | "logger">): CheckAllowance {
  type Seen = { until: number; unseen: number; used: Promise<number>; notedAt: number };
  const known = new Map<AccountId, Seen>();
  return async (account, bodyBytes) => {
    const now = clock.now();
    let seen = known.get(account);
    if (seen === undefined || now >= seen.until || seen.unseen > maxUnseenBytes) {
      // Webhooks that arrive before the answer wait for the same one.
      const used = webhookArrivals.unusedOn(account, dayOf(now));
      seen = { until: now + maxUnseenMs, unseen: 0, used, notedAt: seen?.notedAt ?? 0 };
      known.set(account, seen);
      used.catch(() => known.delete(account));
    }
    seen.unseen += bodyBytes;
    if ((await seen.used) <= maxUnusedBytesADay) return;
    if (now - seen.notedAt >= noteIntervalMs) {
      seen.notedAt = now;
      logger.warn({ account }, "an account's webhooks are refused until tomorrow: too many had no effect");
      background.run("note refused webhooks", () => webhookArrivals.noteRefused(account, now));
    }
    throw refusal("allowance-used", {
      status: 429,
      temporary: true,
      details: { retryAfterMs: (dayOf(now) + 1) * dayMs - now },
    });
  };
}

/** Counts the bytes of webhooks that just turned out to have no effect, and the excess bytes of overlong ones. */
export async function countUnused(
  { webhookArrivals, clock }: Pick<App, "webhookArrivals" | "clock">,
  effects: readonly ReceiptEffect[],
): Promise<void> {
  const bytes = new Map<AccountId, number>();
  for (const { receipt, outcome } of effects) {
    const isFirst = receipt.state !== outcome.state && receipt.state !== "again";
    const { environment, body } = receipt;
    const length = Buffer.byteLength(body);
    const isUnused = ["kept", "unmatched", "failed"].includes(outcome.state);
    const unused = isUnused ? length + recordBytes : Math.max(0, length - usualBytes);
    if (isFirst && unused > 0) bytes.set(environment, (bytes.get(environment) ?? 0) + unused);
  }
  for (const [account, more] of bytes) await webhookArrivals.addUnused(account, dayOf(clock.now()), more);
}

function dayOf(at: number): number {
  return Math.floor(at / dayMs);
}
