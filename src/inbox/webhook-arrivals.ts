import type { App } from "../app.ts";
import type { AccountId } from "../domain/account.ts";
import type { Background } from "../kernel/async.ts";
import { type Clock, dayMs, hourMs } from "../kernel/clock.ts";
import type { Logger } from "../kernel/logger.ts";
import { refusal } from "../kernel/refusal.ts";
import type { WebhookArrivalStore } from "../modules/operations/store/webhook-stores.ts";
import type { ReceiptEffect } from "./receipt-effect.ts";

type WebhookSecret = "current" | "previous";

/** One write for a burst. */
const writeIntervalMs = 10_000;

/** Notes that webhooks come, and with which secret, so operators see when they stop and when the previous secret is unused. Not awaited. */
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

/** In the log; the metric counts always. */
const logIntervalMs = hourMs;

/** Webhooks still come with the previous secret: it can go once metric and log are silent. It is not logged. */
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

/** What one account may have stored in a day (UTC) without any effect. Of the usual webhooks these are 100,000. */
export const maxUnusedBytesADay = 64 * 1024 * 1024;
/** What the database keeps with each body. */
const recordBytes = 300;
/** A longer webhook counts as one without an effect. The document's have a few hundred bytes. */
const usualBytes = 4 * 1024;
/** In a process, until the store is asked again: after this many bytes received, or this long. */
const maxUnseenBytes = 4 * 1024 * 1024;
const maxUnseenMs = 5_000;
/** An alarm that is written once in this time is enough. */
const noteIntervalMs = 60_000;

/** @throws NamedError "allowance-used" (429) for the rest of the day, once an account has sent too much that has no effect */
export type CheckAllowance = (account: AccountId, bodyBytes: number) => Promise<void>;

/** Anybody with an account's secret could otherwise fill the disk that all accounts share. */
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
      // Webhooks that arrive until then wait for the same answer.
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

/** Counts the webhooks that were just found to have no effect, and of others what they are too long. */
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
