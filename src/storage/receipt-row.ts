import type { Receipt } from "../domain/receipt.ts";
import type { LeaseFields } from "./lease.ts";

/** A receipt as it is stored. */
export type ReceiptRow = Omit<Receipt, "id"> & LeaseFields & { _id: string };
