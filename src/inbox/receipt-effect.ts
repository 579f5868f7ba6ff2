import { type ErasedUsersApp, redactLate } from "../modules/privacy/erased-users.ts";
import type { App } from "../app.ts";
import type { Course, Person } from "../domain/course.ts";
import { messageOf, NamedError, waitIfNothingTried } from "../kernel/errors.ts";
import { letOthersRun } from "../kernel/async.ts";
import { shortDigest } from "../kernel/ids.ts";
import { erasedOutcome } from "../modules/attendance/record-attendance.ts";
import type { EventStore } from "../modules/scheduling/store/event-store.ts";
import { type Matchable, type Receipt, waitKey } from "./rules/receipt.ts";
import { readWebhook, type Webhook } from "./rules/webhook.ts";
import type { ReceiptOutcome } from "./store/receipt-store.ts";
import type { HandledWebhook, WebhookBatch, WebhookHandlers } from "./webhook-handlers.ts";

export type ReadReceipt = { receipt: Receipt; webhook: Webhook };

/** Receipts about the same person and event, or about the same session. They are processed in turn. */
export type ReceiptGroup = readonly ReadReceipt[];

/** How many receipts to parse before other work gets a turn; each takes some 20 µs. */
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
 * Separates receipts that need only the store from those that may ask the classroom: attendance of events that have no course here,
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
  const keyOf = (group: ReceiptGroup) => {
    const event = eventOf(group);
    return event === null ? (group[0]?.receipt.id ?? "") : waitKey(event);
  };
  return [...Map.groupBy(groups, keyOf).values()];
}

/** Null for a damaged record, so it fails alone and not with its whole batch. */
function jsonOf({ body }: Receipt): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** The user whose score may change, as an opaque text; null for other families. */
export function aboutWhom({ receipt, webhook }: ReadReceipt): string | null {
  return webhook.family === "ATTENDANCE" ? shortDigest(`${receipt.environment} ${webhook.userId}`) : null;
}

export function eventOf([first]: ReceiptGroup): (Matchable & { kind: "event" }) | null {
  if (first?.webhook.family !== "ATTENDANCE") return null;
  return { kind: "event", environment: first.receipt.environment, id: first.webhook.eventId };
}

export type ReceiptEffectDeps = ErasedUsersApp & Pick<App, "privacyReceipts"> & { webhooks: WebhookHandlers };

/** `graded`: the course and person whose score must be computed before the rest is written. */
export type ReceiptEffect = {
  receipt: Receipt;
  outcome: ReceiptOutcome;
  graded: { course: Course; person: Person } | null;
};

const maxAttempts = 200;

/** As `receiptEffect`, for a group: one after the other, or together if the handler can. */
export async function groupEffects(
  deps: ReceiptEffectDeps,
  group: ReceiptGroup,
  batch: WebhookBatch,
): Promise<ReceiptEffect[]> {
  const effects: ReceiptEffect[] = [];
  const together: ReadReceipt[] = [];
  for (const read of group) {
    const handler = deps.webhooks.get(read.webhook.family);
    if (handler?.handleTogether != null && (await isAsItCame(deps, read))) together.push(read);
    else effects.push(await receiptEffect(deps, read, batch));
  }
  return [...effects, ...(await effectsTogether(deps, together, batch))];
}

/** Whether the receipt names no erased person. If this fails, `receiptEffect` asks again and reports the error. */
async function isAsItCame(deps: ReceiptEffectDeps, read: ReadReceipt): Promise<boolean> {
  return (await redactLate(deps, read).catch(() => null)) === read;
}

async function effectsTogether(deps: ReceiptEffectDeps, group: ReceiptGroup, batch: WebhookBatch) {
  const [first] = group;
  const handle = deps.webhooks.get(first?.webhook.family ?? "other")?.handleTogether ?? null;
  if (handle === null) return [];
  try {
    const handled = await handle(group, batch);
    return group.map((read, at) => effectOf(deps, read, handled[at] ?? { state: "kept" }));
  } catch (thrown) {
    return group.map(({ receipt }) => failedEffect(deps, receipt, thrown));
  }
}

/** Processes a claimed receipt, except for the score. Never throws. Processing it again changes nothing. */
async function receiptEffect(
  deps: ReceiptEffectDeps,
  read: ReadReceipt,
  batch: WebhookBatch,
): Promise<ReceiptEffect> {
  try {
    const reported = await redactLate(deps, read);
    const handled = reported === null ? erasedOutcome(deps.clock.now()) : await actOn(deps, reported, batch);
    return effectOf(deps, read, handled);
  } catch (thrown) {
    return failedEffect(deps, read.receipt, thrown);
  }
}

/** A failed receipt is tried again at growing intervals. */
export function failedEffect(
  { clock }: Pick<ReceiptEffectDeps, "clock">,
  receipt: Receipt,
  thrown: unknown,
): ReceiptEffect {
  const now = clock.now();
  const reason = thrown instanceof NamedError ? thrown.message : `Unexpected: ${messageOf(thrown)}`;
  const { attempts, waitsFor = null, waitsForUser = null } = receipt;
  const code = thrown instanceof NamedError ? thrown.code : "unexpected";
  const effect = (outcome: ReceiptOutcome): ReceiptEffect => ({ receipt, outcome, graded: null });
  const wait = waitIfNothingTried(thrown);
  if (wait === null && attempts >= maxAttempts) {
    const given = `Given up after ${attempts} attempts. The last one: ${reason}`;
    return effect({ state: "failed", reason: given, code: "given-up", nextTryAt: now });
  }
  const delay = wait ?? Math.min(2 ** Math.min(attempts, 10) * 1_000, 10 * 60_000);
  // The state stays, so a slow webhook stays in the slow queue.
  const { state } = receipt;
  const uncounted = wait !== null;
  return effect({ state, reason, code, nextTryAt: now + delay, waitsFor, waitsForUser, uncounted });
}

async function actOn(
  { webhooks }: ReceiptEffectDeps,
  read: ReadReceipt,
  batch: WebhookBatch,
): Promise<HandledWebhook> {
  const { webhook } = read;
  if (webhook.family === "unreadable")
    return { state: "failed", reason: webhook.problem, code: "unreadable" };
  return (await webhooks.get(webhook.family)?.handle(read, batch)) ?? { state: "kept" };
}

function effectOf(
  { clock }: Pick<ReceiptEffectDeps, "clock">,
  { receipt, webhook }: ReadReceipt,
  { graded = null, ...outcome }: HandledWebhook,
): ReceiptEffect {
  // An instructor may link the Space during a class.
  const space =
    outcome.state === "kept" && outcome.code === undefined && "spaceId" in webhook
      ? { waitsFor: waitKey({ kind: "space", environment: receipt.environment, id: webhook.spaceId }) }
      : {};
  return { receipt, outcome: { reason: null, nextTryAt: clock.now(), ...space, ...outcome }, graded };
}
