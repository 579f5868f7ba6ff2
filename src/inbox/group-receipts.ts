import { type Matchable, type Receipt, waitKey } from "./rules/receipt.ts";
import { readWebhook, type Webhook } from "./rules/webhook.ts";
import { letOthersRun } from "../kernel/let-others-run.ts";
import { shortDigest } from "../kernel/short-digest.ts";
import type { WebhookHandlers } from "./webhook-handlers.ts";
import type { EventStore } from "../modules/scheduling/store/event-store.ts";

export type ReadReceipt = { receipt: Receipt; webhook: Webhook };

/** Receipts about the same person and event, or session; they are processed in turn. */
export type ReceiptGroup = readonly ReadReceipt[];

/** Parsed in one go, at some 20 µs each. */
const maxParsed = 50;

export async function groupReceipts(
  webhooks: WebhookHandlers,
  receipts: readonly Receipt[],
): Promise<ReceiptGroup[]> {
  const groups = new Map<string, ReadReceipt[]>();
  for (const [at, receipt] of receipts.entries()) {
    if (at % maxParsed === maxParsed - 1) await letOthersRun();
    const webhook = readWebhook(jsonOf(receipt), receipt.receivedAt);
    const subject = webhooks.get(webhook.family)?.subjectOf(webhook) ?? null;
    const key =
      subject === null ? receipt.id : JSON.stringify([webhook.family, receipt.environment, ...subject]);
    const group = groups.get(key) ?? [];
    group.push({ receipt, webhook });
    groups.set(key, group);
  }
  return [...groups.values()];
}

/**
 * Separates receipts that need only the store from those that may ask the classroom: attendance of events without a course here,
 * and changed records.
 */
export async function partReceipts(
  deps: { events: Pick<EventStore, "find">; webhooks: WebhookHandlers },
  groups: readonly ReceiptGroup[],
): Promise<{ ready: ReceiptGroup[]; asking: ReceiptGroup[] }> {
  const settled = new Map<string, boolean>();
  const ready: ReceiptGroup[] = [];
  const asking: ReceiptGroup[] = [];
  for (const group of groups) {
    const event = eventOf(group);
    const key = event === null ? "" : waitKey(event);
    if (event !== null && !settled.has(key))
      settled.set(key, (await deps.events.find(event.environment, event.id))?.courseId != null);
    const family = group[0]?.webhook.family ?? "other";
    const asks =
      event === null ? deps.webhooks.get(family)?.asksClassroom === true : settled.get(key) !== true;
    (asks ? asking : ready).push(group);
  }
  return { ready, asking };
}

export function groupByEvent(groups: readonly ReceiptGroup[]): ReceiptGroup[][] {
  const events = new Map<string, ReceiptGroup[]>();
  for (const group of groups) {
    const event = eventOf(group);
    const key = event === null ? (group[0]?.receipt.id ?? "") : waitKey(event);
    events.set(key, [...(events.get(key) ?? []), group]);
  }
  return [...events.values()];
}

/** Null for a damaged record: it fails alone, not with its batch. */
function jsonOf({ body }: Receipt): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** The user whose score may follow, as an opaque text; null for other families. */
export function aboutWhom({ receipt, webhook }: ReadReceipt): string | null {
  return webhook.family === "ATTENDANCE" ? shortDigest(`${receipt.environment} ${webhook.userId}`) : null;
}

export function eventOf([first]: ReceiptGroup): (Matchable & { kind: "event" }) | null {
  if (first?.webhook.family !== "ATTENDANCE") return null;
  return { kind: "event", environment: first.receipt.environment, id: first.webhook.eventId };
}
