import type { RowOf } from "../../domain/record.ts";
import type { receiptRecord } from "../rules/receipt.ts";

/** A receipt as it is stored. */
export type ReceiptRow = RowOf<typeof receiptRecord>;
