import type { Delivery } from "../../../src/modules/grading/rules/delivery.ts";

/** A pending score of 80 of 100 that was never sent, with some fields changed. */
export function deliveryOf(change: Partial<Delivery> = {}): Delivery {
  return {
    id: "dlv_1",
    registrationId: "reg_1",
    courseId: "crs_1",
    columnKey: "attendance",
    personId: "per_1",
    sub: "7",
    desired: { score: 80, maximum: 100, comment: null, revision: 1 },
    accepted: null,
    foreign: null,
    overruled: null,
    unconfirmed: [],
    again: false,
    state: "waiting",
    attempts: 0,
    nextTryAt: 0,
    waitingSince: 1,
    reason: null,
    refusal: null,
    lastSentAt: null,
    ...change,
  };
}
