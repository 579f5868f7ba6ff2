import type { Model } from "mongoose";
import type { Delivery } from "../domain/delivery.ts";
import type { DeliveryRow } from "./delivery-row.ts";

/** How many scores of all courses stand how. */
export function deliveryCounts(model: Model<DeliveryRow>) {
  return {
    /** Since when the score that waits longest has been waiting; null when none waits. */
    oldestWaiting: async (): Promise<number | null> => {
      const row = await model.findOne({ state: "waiting" }).sort({ waitingSince: 1 }).lean();
      return row?.waitingSince ?? null;
    },
    /** How many scores of all courses were due at a moment (ms) and were not tried since. */
    countAllDue: (at: number): Promise<number> =>
      model.countDocuments({ state: "waiting", nextTryAt: { $lte: at } }).exec(),
    /** How many scores waited at a moment (ms) and still do, also those that are to be tried again later. */
    countLeft: (at: number): Promise<number> =>
      model.countDocuments({ state: "waiting", waitingSince: { $lte: at } }).exec(),
    countByState: async (): Promise<Record<Exclude<Delivery["state"], "idle">, number>> => ({
      waiting: await model.countDocuments({ state: "waiting" }),
      delivered: await model.countDocuments({ state: "delivered" }),
      refused: await model.countDocuments({ state: "refused" }),
      held: await model.countDocuments({ state: "held" }),
    }),
  };
}
