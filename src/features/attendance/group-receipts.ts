import type { Receipt } from "../../domain/receipt.ts";
import { readWebhook, type Webhook } from "../../domain/webhook.ts";
import type { EventStore } from "../../storage/event-store.ts";

/** A receipt and what it says. */
export type ReadReceipt = { receipt: Receipt; webhook: Webhook };

/** Receipts about the same person and event: taken in turn, they do not get in each other's way. */
export type ReceiptGroup = readonly ReadReceipt[];

/**
 * Puts receipts together that are about the same.
 * @returns `known`: attendance in events whose course is settled here; `others` may have to ask the classroom.
 */
export async function groupReceipts(
  deps: { events: Pick<EventStore, "find"> },
  receipts: readonly Receipt[],
): Promise<{ known: ReceiptGroup[]; others: ReceiptGroup[] }> {
  const groups = new Map<string, ReadReceipt[]>();
  for (const receipt of receipts) {
    const webhook = readWebhook(JSON.parse(receipt.body));
    const key = subjectOf(receipt, webhook);
    const group = groups.get(key) ?? [];
    group.push({ receipt, webhook });
    groups.set(key, group);
  }
  const settled = new Map<string, boolean>();
  const known: ReceiptGroup[] = [];
  const others: ReceiptGroup[] = [];
  for (const group of groups.values()) {
    const event = eventOf(group);
    if (event !== null && !settled.has(event.key)) {
      settled.set(event.key, (await deps.events.find(event.environment, event.eventId))?.courseId != null);
    }
    (event !== null && settled.get(event.key) === true ? known : others).push(group);
  }
  return { known, others };
}

function subjectOf({ id, environment }: Receipt, webhook: Webhook): string {
  return webhook.family === "ATTENDANCE"
    ? JSON.stringify([environment, webhook.eventId, webhook.userId])
    : id;
}

function eventOf([first]: ReceiptGroup) {
  if (first?.webhook.family !== "ATTENDANCE") return null;
  const { environment } = first.receipt;
  const { eventId } = first.webhook;
  return { key: JSON.stringify([environment, eventId]), environment, eventId };
}
