import type { Model } from "mongoose";
import type { Delivery } from "../rules/delivery.ts";
import { type DeliveryRow, dueNow, keptBack } from "./delivery-row.ts";
import type { DueQueue } from "../../../storage/due-heads.ts";
import { leaveStates } from "./delivery-counts.ts";
import type { Tally } from "../../../storage/tally-store.ts";
import { latestFirst, type PageCursor, type TimeRange } from "../../../storage/latest-first.ts";

export function deliveryQueue(
  counted: { model: Model<DeliveryRow>; delivered: Tally },
  queue: DueQueue,
  toDelivery: (row: DeliveryRow) => Delivery,
) {
  const { model } = counted;
  const makeDue = async (ids: readonly string[], now: number): Promise<number> => {
    const some = { _id: { $in: [...ids] } };
    const waiting = await model.updateMany(
      { ...some, state: "waiting" },
      { $set: { nextTryAt: now, attempts: 0 } },
    );
    const refused = await leaveStates(counted, keptBack, some, dueNow(now));
    const scored = { ...some, "desired.score": { $ne: null } };
    const arrived = await leaveStates(counted, ["delivered"], scored, { ...dueNow(now), again: true });
    return waiting.matchedCount + refused + arrived;
  };
  return {
    findById: async (id: string): Promise<Delivery | null> => {
      const row = await model.findOne({ _id: id }).lean();
      return row === null ? null : toDelivery(row);
    },
    /** Those tried last first. @param within An LMS or a course. @param after The last page's end, by `nextTryAt`. */
    queue: async (
      state: Delivery["state"],
      within: { registrationId: string; courseId?: string } | null,
      after: PageCursor | null,
      limit: number,
    ): Promise<Delivery[]> => {
      const wanted = (range: TimeRange) =>
        "at" in range
          ? {
              ...within,
              state,
              nextTryAt: range.at,
              ...(range.after === null ? {} : { _id: { $gt: range.after } }),
            }
          : { ...within, state, nextTryAt: { $lt: range.before } };
      const rows = await latestFirst(
        (range, most) =>
          model
            .find(wanted(range))
            .sort("at" in range ? { _id: 1 } : { nextTryAt: -1 })
            .limit(most)
            .lean(),
        ({ nextTryAt }) => nextTryAt,
        after,
        limit,
      );
      return rows.map(toDelivery);
    },
    countUpTo: (state: Delivery["state"], limit: number): Promise<number> =>
      model.countDocuments({ state }, { limit }).exec(),
    /** Scores kept back, waiting or arrived, except null ones; held ones stay held. @returns how many there were */
    sendAgain: async (ids: readonly string[], now: number): Promise<number> => {
      const found = await model.find({ _id: { $in: [...ids] } }, { registrationId: 1 }).lean();
      let sent = 0;
      for (const registrationId of new Set(found.map((row) => row.registrationId))) {
        const own = found.filter((row) => row.registrationId === registrationId).map(({ _id }) => _id);
        sent += await queue.announced(registrationId, now, () => makeDue(own, now));
      }
      return sent;
    },
  };
}
