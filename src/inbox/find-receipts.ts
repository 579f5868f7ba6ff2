import type { Receipt, ReceiptState } from "./rules/receipt.ts";
import type { AccountId } from "../domain/account.ts";
import { familyOf, knownFamilies } from "./rules/webhook-family.ts";
import { letOthersRun } from "../kernel/let-others-run.ts";
import type { PageCursor } from "../storage/latest-first.ts";
import type { ReceiptStore } from "./store/receipt-store.ts";

/** Null and an empty list leave everything in. */
export type ReceiptFilter = {
  states: readonly ReceiptState[];
  environment: AccountId | null;
  /** As `familyOf`; `otherFamilies` for all that the interface does not name. */
  family: string | null;
  /** When it arrived (ms), both included. */
  since: number | null;
  until: number | null;
  code: string | null;
  /** In the body, the receipt's id, or an id it waits for. */
  text: string | null;
};

export const otherFamilies = "other";

/** `looked` receipts were read up to `place`; `found` fit. */
export type LookedAt = { found: Receipt[]; looked: number; cursor: PageCursor };

/** Receipts of one read; bodies may be large. */
const batchSize = 200;

/**
 * Yields the receipts of some states, latest first, a batch at a time. An index finds state and time; the rest is read.
 * @param after Where to go on; null for the beginning.
 * @param most Limit of a batch.
 */
export async function* findReceipts(
  { receipts }: { receipts: Pick<ReceiptStore, "page"> },
  filter: ReceiptFilter,
  states: readonly ReceiptState[],
  after: PageCursor | null = null,
  most = batchSize,
): AsyncGenerator<LookedAt> {
  const limit = Math.min(batchSize, most);
  for (let cursor = after; ;) {
    const some = await receipts.page(states, filter, cursor, limit);
    const last = some.at(-1);
    if (last === undefined) return;
    cursor = { at: last.receivedAt, id: last.id };
    yield { found: some.filter((receipt) => fits(receipt, filter)), looked: some.length, cursor };
    if (some.length < limit) return;
    await letOthersRun();
  }
}

/** Receipts of earlier versions have no family: their body tells it. */
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
