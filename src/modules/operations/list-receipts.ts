import type { App } from "../../app.ts";
import { type Receipt, type ReceiptState, receiptStates } from "../../inbox/rules/receipt.ts";
import { familyOfReceipt, findReceipts, type ReceiptFilter } from "../../inbox/find-receipts.ts";
import { cursorOf, cursorText } from "./page-cursor.ts";

export type ListReceiptsDeps = Pick<App, "receipts">;

export type ListedReceipt = Omit<Receipt, "body" | "bytes" | "digest"> & { family: string };

/** `next`: where to continue; null at the end. */
export type ReceiptsPage = { receipts: ListedReceipt[]; next: string | null };

/** More are shown as "10,000+". */
export const maxCount = 10_000;
const pageSize = 50;
/** For one page; where hardly any fit, the reader is asked whether to look further. */
const maxLooked = 2_000;

/** Latest first. @param from Where the page before ended; null for the first one. */
export async function listReceipts(
  deps: Pick<ListReceiptsDeps, "receipts">,
  filter: ReceiptFilter,
  from: string | null,
): Promise<ReceiptsPage> {
  const states = filter.states.length === 0 ? receiptStates : filter.states;
  const listed: Receipt[] = [];
  let looked = 0;
  for await (const { found, looked: some, cursor } of findReceipts(deps, filter, states, cursorOf(from))) {
    listed.push(...found);
    looked += some;
    if (listed.length > pageSize) return { receipts: shown(listed), next: nextOf(listed[pageSize - 1]) };
    if (looked >= maxLooked) return { receipts: shown(listed), next: cursorText(cursor) };
  }
  return { receipts: shown(listed), next: null };
}

/** By state; one more than `countedUpTo` means "more". */
export async function countReceiptStates({
  receipts,
}: ListReceiptsDeps): Promise<{ state: ReceiptState; count: number }[]> {
  return Promise.all(
    receiptStates.map(async (state) => ({ state, count: await receipts.countUpTo(state, maxCount + 1) })),
  );
}

function shown(receipts: readonly Receipt[]): ListedReceipt[] {
  return receipts.slice(0, pageSize).map((receipt) => {
    const { body: _body, bytes: _bytes, digest: _digest, ...facts } = receipt;
    return { ...facts, family: familyOfReceipt(receipt) };
  });
}

function nextOf(last: Receipt | undefined): string | null {
  return last === undefined ? null : cursorText({ at: last.receivedAt, id: last.id });
}
