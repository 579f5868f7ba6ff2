import type { Receipt, ReceiptState } from "./rules/receipt.ts";
import type { EnvironmentName } from "../domain/registration.ts";
import { familyOf, knownFamilies } from "./rules/webhook-family.ts";
import { letOthersRun } from "../kernel/let-others-run.ts";
import type { PagePlace } from "../storage/latest-first.ts";
import type { ReceiptStore } from "./store/receipt-store.ts";

/** Which receipts somebody looks for; null and an empty list leave everything in. */
export type ReceiptFilter = {
  states: readonly ReceiptState[];
  environment: EnvironmentName | null;
  /** As `familyOf` says it; `otherFamilies` for all that the interface does not name. */
  family: string | null;
  /** When it arrived (ms), both included. */
  since: number | null;
  until: number | null;
  /** The code of the reason. */
  code: string | null;
  /** Stands in the body, or is the receipt's id or something it waits for: an id of the classroom. */
  text: string | null;
};

export const otherFamilies = "other";

/** Some receipts that were looked at, those of them that fit, and the place up to which it is known. */
export type LookedAt = { found: Receipt[]; looked: number; place: PagePlace };

/** So many are read in one go: bodies may be large. */
const slice = 200;

/**
 * Goes through the receipts of some states, the latest first, a slice at a time: state and time are found by an index, the
 * rest by looking. Whoever has enough stops asking.
 * @param after Where to go on; null for the beginning.
 * @param most A slice is never larger.
 */
export async function* findReceipts(
  { receipts }: { receipts: Pick<ReceiptStore, "page"> },
  filter: ReceiptFilter,
  states: readonly ReceiptState[],
  after: PagePlace | null = null,
  most = slice,
): AsyncGenerator<LookedAt> {
  const limit = Math.min(slice, most);
  for (let place = after; ;) {
    const some = await receipts.page(states, filter, place, limit);
    const last = some.at(-1);
    if (last === undefined) return;
    place = { at: last.receivedAt, id: last.id };
    yield { found: some.filter((receipt) => fits(receipt, filter)), looked: some.length, place };
    if (some.length < limit) return;
    await letOthersRun();
  }
}

/** What a receipt is filed under; those of earlier versions are looked into. */
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
