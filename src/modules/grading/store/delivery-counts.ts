import type { Model } from "mongoose";
import type { Delivery } from "../rules/delivery.ts";
import type { DeliveryRow } from "./delivery-row.ts";
import type { Tally } from "../../../storage/tally-store.ts";

export function deliveryCounts(model: Model<DeliveryRow>, delivered: Tally) {
  return {
    oldestWaiting: async (): Promise<number | null> => {
      const row = await model.findOne({ state: "waiting" }).sort({ waitingSince: 1 }).lean();
      return row?.waitingSince ?? null;
    },
    countWaitingOf: (registrationId: string, limit: number): Promise<number> =>
      model.countDocuments({ registrationId, state: "waiting" }, { limit }).exec(),
    /** Refused by an LMS, and tried since then (ms). */
    countRefusedOf: (registrationId: string, since: number, limit: number): Promise<number> =>
      model
        .countDocuments({ registrationId, state: "refused", nextTryAt: { $gte: since } }, { limit })
        .exec(),
    /**
     * Scores of an LMS that were tried since then (ms), or wait: when the gradebook last took each, and when it was refused;
     * null for not.
     */
    listMoved: async (
      registrationId: string,
      since: number,
    ): Promise<{ courseId: string; acceptedAt: number | null; refusedAt: number | null }[]> => {
      const shown = { courseId: 1, state: 1, nextTryAt: 1, accepted: 1 };
      const moved = [];
      for (const state of ["delivered", "waiting", "blocked", "refused", "held"] as const)
        moved.push(
          ...(await model.find({ registrationId, state, nextTryAt: { $gte: since } }, shown).lean()),
        );
      return moved.map(({ courseId, state, nextTryAt, accepted }) => ({
        courseId,
        acceptedAt: accepted?.at ?? null,
        refusedAt: state === "refused" ? nextTryAt : null,
      }));
    },
    countAllDue: (at: number): Promise<number> =>
      model.countDocuments({ state: "waiting", nextTryAt: { $lte: at } }).exec(),
    /** Waiting since `at` (ms), retries included. */
    countLeft: (at: number): Promise<number> =>
      model.countDocuments({ state: "waiting", waitingSince: { $lte: at } }).exec(),
    /** Delivered ones are a running tally, some seconds behind. */
    countByState: async (): Promise<Record<Exclude<Delivery["state"], "idle">, number>> => ({
      waiting: await model.countDocuments({ state: "waiting" }),
      delivered: await delivered.read(),
      blocked: await model.countDocuments({ state: "blocked" }),
      refused: await model.countDocuments({ state: "refused" }),
      held: await model.countDocuments({ state: "held" }),
    }),
  };
}

/** Changes scores of some states and updates the tally of delivered ones. @returns how many there were. */
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
