import type { Receipt } from "../../inbox/rules/receipt.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { ReceiptStore } from "../../inbox/store/receipt-store.ts";
import { familyOfReceipt } from "../../inbox/find-receipts.ts";

/** `pretty`: the body on several lines, where it is JSON. */
export type ShownReceipt = Receipt & { family: string; pretty: string };

/** @throws NamedError receipt-unknown */
export async function showReceipt(
  { receipts }: { receipts: Pick<ReceiptStore, "find"> },
  id: string,
): Promise<ShownReceipt> {
  const receipt = await receipts.find(id);
  if (receipt === null) throw refusal("receipt-unknown", { values: { id }, status: 404 });
  return { ...receipt, family: familyOfReceipt(receipt), pretty: writtenOut(receipt.body) };
}

function writtenOut(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
