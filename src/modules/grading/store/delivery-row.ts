import type { RowOf } from "../../../domain/record.ts";
import type { deliveryRecord } from "../rules/delivery.ts";
import { urgency } from "../rules/score-urgency.ts";

export type DeliveryRow = RowOf<typeof deliveryRecord>;

/** Due from `now` (ms), as if never tried. */
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
