import type { RowOf } from "../../../domain/record.ts";
import type { deliveryRecord } from "../rules/delivery.ts";
import { urgency } from "../rules/score-urgency.ts";

export type DeliveryRow = RowOf<typeof deliveryRecord>;

/** Tried, and not to be tried again by the clock alone. */
export const keptBack = ["refused", "blocked"] as const;

/** As if never tried. @param now Milliseconds since the epoch. */
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
