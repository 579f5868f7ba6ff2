import type { Delivery } from "../rules/delivery.ts";
import { urgency } from "../rules/score-urgency.ts";
import type { LeaseFields } from "../../../storage/lease.ts";

/** A delivery as it is stored. Records of earlier versions lack the optional fields. */
export type DeliveryRow = Omit<Delivery, "id"> &
  LeaseFields & {
    _id: string;
    /** Grows with every score that is wanted, changed or not. */
    revision?: number;
    /** The computation that `desired` is of; see SeenInputs. */
    seenRegrade?: number;
    seenStanding?: number;
    /** It is due later than now because more about this person is expected in a moment; see `wantScores`. */
    gathering?: boolean;
    /** Where it stands in lists; see `deliveryOrder`. */
    urgency?: number | null;
    listName?: string | null;
  };

/** What a score becomes that is to be looked at from `now` (ms) on, as if it had never been tried. */
export function dueNow(now: number) {
  return {
    state: "waiting",
    urgency: urgency.waiting,
    nextTryAt: now,
    attempts: 0,
    waitingSince: now,
    lastError: null,
    refusal: null,
  } as const;
}
