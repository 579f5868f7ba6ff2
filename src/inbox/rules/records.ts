import { receiptRecord } from "./receipt.ts";

export const inboxRecords = [receiptRecord];
