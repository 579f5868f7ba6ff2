import type { Model } from "mongoose";
import type { Delivery } from "../rules/delivery.ts";
import type { DeliveryRow } from "./delivery-row.ts";
import type { Tally } from "../../../storage/tally-store.ts";

/** How many scores of all courses stand how. */
export function deliveryCounts(model: Model<DeliveryRow>, delivered: Tally) {
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
    /** Those that were delivered are not counted but kept count of, and may be some seconds behind. */
    countByState: async (): Promise<Record<Exclude<Delivery["state"], "idle">, number>> => ({
      waiting: await model.countDocuments({ state: "waiting" }),
      delivered: await delivered.read(),
      refused: await model.countDocuments({ state: "refused" }),
      held: await model.countDocuments({ state: "held" }),
    }),
  };
}

/** Changes scores of some states, and counts those that are delivered no more. @returns how many there were. */
export async function leaveStates(
  { model, delivered }: { model: Model<DeliveryRow>; delivered: Tally },
  states: readonly Exclude<Delivery["state"], "waiting">[],
  filter: Record<string, unknown>,
  set: Partial<DeliveryRow>,
): Promise<number> {
  let left = 0;
  for (const state of states) {
    const { matchedCount } = await model.updateMany({ ...filter, state }, { $set: set });
    if (state === "delivered") delivered.moved(-matchedCount);
    left += matchedCount;
  }
  return left;
}
