import type { Model } from "mongoose";
import type { Delivery } from "../rules/delivery.ts";
import { type DeliveryRow, dueNow } from "./delivery-row.ts";
import type { DueQueue } from "../../../storage/due-heads.ts";
import { leaveStates } from "./delivery-counts.ts";
import { released } from "../../../storage/lease.ts";
import type { Tally } from "../../../storage/tally-store.ts";

type Place = Pick<Delivery, "registrationId" | "courseId">;

export function deliveryRestores(counted: { model: Model<DeliveryRow>; delivered: Tally }, queue: DueQueue) {
  const { model } = counted;
  return {
    /**
     * All scores that a course should have, or may have, are read in the gradebook first; until then none counts as
     * delivered. Repeatable. @returns how many there are
     */
    compareCourse: async (place: Place, restoredAt: number, now: number): Promise<number> => {
      const some = { ...place, desired: { $ne: null } };
      const states = ["delivered", "refused", "blocked", "held"] as const;
      const all = { ...some, state: { $in: ["waiting", ...states] } } as const;
      const count = await model.countDocuments(all);
      if (count === 0) return 0;
      const toCompare = { ...dueNow(now), restoredAt, reason: null, ...released } as const;
      await queue.announced(place.registrationId, now, async () => {
        await model.updateMany({ ...some, state: "waiting" }, { $set: toCompare });
        await leaveStates(counted, states, some, toCompare);
      });
      return count;
    },
  };
}
