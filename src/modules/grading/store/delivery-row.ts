import type { RowOf } from "../../../domain/record.ts";
import type { deliveryRecord } from "../rules/delivery.ts";
import { urgency } from "../rules/score-urgency.ts";

/** A delivery as it is stored. */
export type DeliveryRow = RowOf<typeof deliveryRecord>;

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
