import type { Model } from "mongoose";
import type { Delivery } from "../rules/delivery.ts";
import type { ScoreCounts } from "../rules/score-state.ts";
import { urgency } from "../rules/score-urgency.ts";
import type { DeliveryRow } from "./delivery-row.ts";
import type { DueQueue } from "../../../storage/due-heads.ts";
import { leaveStates } from "./delivery-counts.ts";
import type { Tally } from "../../../storage/tally-store.ts";

type Place = Pick<Delivery, "registrationId" | "courseId">;

/** A course's scores as lists and counts, and those of them that somebody wants to have sent once more. */
export function deliveryLists(
  counted: { model: Model<DeliveryRow>; delivered: Tally },
  queue: DueQueue,
  toDelivery: (row: DeliveryRow) => Delivery,
) {
  const { model } = counted;
  return {
    /** How many scores of a course stand how; those without news (a column that is not filled) are under "idle". */
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
    /** Those of some ids that are of this course. */
    findMany: async (place: Place, ids: readonly string[]): Promise<Delivery[]> =>
      (await model.find({ _id: { $in: [...ids] }, ...place }).lean()).map(toDelivery),
    /**
     * Some scores are due now, also ones that arrived; what is held stays held.
     * @returns how many there were
     */
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
    /** How many scores of a course are to be brought to the LMS once more and have not been yet. */
    countAgain: (place: Place): Promise<number> =>
      model.countDocuments({ ...place, state: "waiting", again: true }).exec(),
  };
}
