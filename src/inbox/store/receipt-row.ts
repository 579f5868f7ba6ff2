import type { RowOf } from "../../domain/record.ts";
import type { receiptRecord } from "../rules/receipt.ts";

export type ReceiptRow = RowOf<typeof receiptRecord>;
