import type { Model } from "mongoose";
import type { Delivery } from "../rules/delivery.ts";
import type { ScoreCounts } from "../rules/score-state.ts";
import { urgency } from "../rules/score-urgency.ts";
import type { DeliveryRow } from "./delivery-row.ts";
import type { DueQueue } from "../../../storage/due-heads.ts";
import { leaveStates } from "./delivery-counts.ts";
import type { Tally } from "../../../storage/tally-store.ts";

type Place = Pick<Delivery, "registrationId" | "courseId">;

export function deliveryLists(
  counted: { model: Model<DeliveryRow>; delivered: Tally },
  queue: DueQueue,
  toDelivery: (row: DeliveryRow) => Delivery,
) {
  const { model } = counted;
  return {
    /** Columns never filled count as "idle". */
    countOfCourse: async (place: Place): Promise<ScoreCounts> => {
      const count = (state: Delivery["state"]) => model.countDocuments({ ...place, state });
      const left = await model.countDocuments({ ...place, state: "held", "foreign.leftAt": { $gt: 0 } });
      return {
        held: (await count("held")) - left,
        refused: await count("refused"),
        waiting: await count("waiting"),
        left,
        delivered: await count("delivered"),
        idle: await count("idle"),
      };
    },
    findMany: async (place: Place, ids: readonly string[]): Promise<Delivery[]> =>
      (await model.find({ _id: { $in: [...ids] }, ...place }).lean()).map(toDelivery),
    /** Also those that arrived; held ones stay held. @returns how many there were */
    resend: (place: Place, ids: readonly string[], now: number): Promise<number> =>
      queue.announced(place.registrationId, now, async () => {
        const wanted = { _id: { $in: [...ids] }, ...place, "desired.score": { $ne: null } };
        const due = { nextTryAt: now, attempts: 0, refusal: null, again: true };
        const waiting = await model.updateMany({ ...wanted, state: "waiting" }, { $set: due });
        const waitsAgain = {
          state: "waiting",
          urgency: urgency.waiting,
          waitingSince: now,
          lastError: null,
        } as const;
        const again = { ...due, ...waitsAgain };
        return waiting.matchedCount + (await leaveStates(counted, ["refused", "delivered"], wanted, again));
      }),
    countAgain: (place: Place): Promise<number> =>
      model.countDocuments({ ...place, state: "waiting", again: true }).exec(),
  };
}
