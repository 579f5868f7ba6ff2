import type { App } from "../app.ts";
import type { AccountId } from "../domain/account.ts";
import { refusal } from "../kernel/refusal.ts";
import { type AuditApp, writeAudit } from "../modules/audit/audit.ts";
import { type BatchOptions, countFound, inBatches } from "../modules/operations/paging.ts";
import type { UnknownWebhooks, UnknownWebhookStore } from "../modules/operations/store/webhook-stores.ts";
import type { PageCursor } from "../storage/records.ts";
import { type Receipt, type ReceiptState, receiptStates } from "./rules/receipt.ts";
import { familyOf, knownFamilies, otherNames } from "./rules/webhook.ts";
import type { ReceiptStore } from "./store/receipt-store.ts";

/** Selects receipts. Null or an empty list doesn't filter. */
export type ReceiptFilter = {
  states: readonly ReceiptState[];
  environment: AccountId | null;
  /** As `familyOf`; `otherFamilies` for all families that the interface doesn't name. */
  family: string | null;
  /** Arrival time (ms); both ends are included. */
  since: number | null;
  until: number | null;
  code: string | null;
  /** Text in the body, the receipt's id, or an id that it waits for. */
  text: string | null;
};

export const otherFamilies = "other";

/** Receipts of one read. It is small because bodies may be large. */
const batchSize = 200;

/** The receipts that match, latest first. */
export function foundReceipts({ receipts }: { receipts: Pick<ReceiptStore, "page"> }, filter: ReceiptFilter) {
  const states = filter.states.length === 0 ? receiptStates : filter.states;
  return {
    batch: batchSize,
    read: (after: PageCursor | null, limit: number) => receipts.page(states, filter, after, limit),
    cursorOf: ({ receivedAt: at, id }: Receipt) => ({ at, id }),
    fits: (receipt: Receipt) => fits(receipt, filter),
  };
}

/** The receipt's family. Receipts of earlier versions have no such field, so it is read from their body. */
export function familyOfReceipt({ family, body }: Pick<Receipt, "family" | "body">): string {
  if (family !== undefined) return family;
  try {
    return familyOf(JSON.parse(body));
  } catch {
    return familyOf(null);
  }
}

function fits(receipt: Receipt, { environment, family, code, text }: ReceiptFilter): boolean {
  if (environment !== null && receipt.environment !== environment) return false;
  if (code !== null && receipt.code !== code) return false;
  if (family !== null && !isOfFamily(receipt, family)) return false;
  return text === null || mentions(receipt, text);
}

function isOfFamily(receipt: Receipt, family: string): boolean {
  const own = familyOfReceipt(receipt);
  return family === otherFamilies ? !knownFamilies.some((known) => known === own) : own === family;
}

function mentions({ id, body, waitsFor, waitsForUser }: Receipt, text: string): boolean {
  return [id, body, waitsFor ?? "", waitsForUser ?? ""].some((one) => one.includes(text));
}

type ReplayReceiptsDeps = AuditApp & Pick<App, "receipts" | "wake">;

/** How many receipts match and how many are processed again. `busy`: skipped, because they were being processed. `next`: where to continue. */
type Replayed = { matched: number; replayed: number; busy: number; next: string | null };

/** @returns false if the receipt is being processed now. @throws NamedError receipt-unknown */
export async function replayReceipt(deps: ReplayReceiptsDeps, id: string): Promise<boolean> {
  if ((await deps.receipts.find(id)) === null)
    throw refusal("receipt-unknown", { values: { id }, status: 404 });
  const done = await deps.receipts.processAgain([id], deps.clock.now());
  if (done === 0) return false;
  await writeAudit(deps, { what: "webhooks-replayed", registrationId: null, on: id });
  deps.wake("slow-receipts");
  return true;
}

/**
 * Processes all matching receipts again, in batches, after new ones. Skips receipts that are being processed. May be repeated.
 * @param filter Without states, all match.
 * @param go How many to read, and from where.
 */
export async function replayReceipts(
  deps: ReplayReceiptsDeps,
  filter: ReceiptFilter,
  go: BatchOptions = {},
): Promise<Replayed> {
  const sum: Replayed = { matched: 0, replayed: 0, busy: 0, next: null };
  try {
    await inBatches(foundReceipts(deps, filter), go, sum, async (ids) => {
      const replayed = ids.length === 0 ? 0 : await deps.receipts.processAgain(ids, deps.clock.now());
      sum.replayed += replayed;
      sum.busy += ids.length - replayed;
      if (replayed > 0) deps.wake("slow-receipts");
    });
  } finally {
    // Also written if an error ended the loop.
    if (sum.replayed > 0) {
      const on = [`${sum.replayed}:`, ...inWords(filter)].join(" ");
      await writeAudit(deps, { what: "webhooks-replayed", registrationId: null, on });
    }
  }
  return sum;
}

/** How many match, among at most `limit` receipts that are read. */
export function countReceipts(
  deps: Pick<ReplayReceiptsDeps, "receipts">,
  filter: ReceiptFilter,
  go: BatchOptions = {},
): Promise<Pick<Replayed, "matched" | "next">> {
  return countFound(foundReceipts(deps, filter), go);
}

/** The filter in words, as typed on the command line. */
function inWords({ states, environment, family, since, until, code, text }: ReceiptFilter): string[] {
  const day = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  const given = {
    state: states.length === 0 ? null : states.join(","),
    environment,
    family,
    since: day(since),
    until: day(until),
    reason: code,
    // The text may be a person's id, so the log doesn't show it.
    text: text === null ? null : "...",
  };
  return Object.entries(given).flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]));
}

/**
 * Webhooks with a name that the document doesn't list. `named`: false if several kinds are counted together. `filedUnder`: family and body
 * text with which to find their receipts.
 */
export type ListedUnknown = UnknownWebhooks & {
  named: boolean;
  filedUnder: { family: string; text: string };
};

/** Names that the document doesn't list, with their count, first and last arrival (ms). Latest first, a few hundred at most. */
export async function listUnknownWebhooks(deps: { unknownWebhooks: Pick<UnknownWebhookStore, "list"> }) {
  return (await deps.unknownWebhooks.list()).map((kind) => {
    const named = kind.family !== otherNames;
    const family = named ? familyOf({ _type: kind.family }) : otherFamilies;
    return { ...kind, named, filedUnder: { family, text: kind.eventType } };
  });
}
