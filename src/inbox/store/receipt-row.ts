import type { Receipt } from "../rules/receipt.ts";
import type { LeaseFields } from "../../storage/lease.ts";

/** A receipt as it is stored. */
export type ReceiptRow = Omit<Receipt, "id"> &
  LeaseFields & {
    _id: string;
    /** Whom it is about, by `Asking.about`, while the classroom may have to be asked about it; null or missing before and after. */
    about?: string | null;
  };
