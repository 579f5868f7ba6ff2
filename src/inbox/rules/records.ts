import { receiptRecord } from "./receipt.ts";

/** Every kind of record of inbox. */
export const inboxRecords = [receiptRecord];
