import type { Model } from "mongoose";
import type { AcceptedScore, Delivery } from "../rules/delivery.ts";
import type { ScoreCounts } from "../rules/score-state.ts";
import { urgency } from "../rules/score-urgency.ts";
import { type DeliveryRow, keptBack } from "./delivery-row.ts";
import type { DueQueue } from "../../../storage/due-heads.ts";
import { released } from "../../../storage/lease.ts";
import { refusalSentence } from "../../../kernel/refusal.ts";
import { leaveStates } from "./delivery-counts.ts";
import type { Tally } from "../../../storage/tally-store.ts";

type Place = Pick<Delivery, "registrationId" | "courseId">;

const notSent = ["waiting", "blocked", "idle"] as const;

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
    /** Grades that the line item took, as far as we know. */
    listArrived: async (
      column: Place & Pick<Delivery, "columnKey">,
      lineItemUrl: string,
    ): Promise<(Pick<Delivery, "sub"> & { accepted: AcceptedScore })[]> => {
      const rows = await model.find({ ...column, accepted: { $ne: null } }, { sub: 1, accepted: 1 }).lean();
      return rows.flatMap(({ sub, accepted }) =>
        accepted?.lineItemUrl === lineItemUrl && accepted.score !== null ? [{ sub, accepted }] : [],
      );
    },
    /** The gradebook has none of them any more; nothing is sent until somebody says why. Claims end. */
    loseGrades: async (column: Place & Pick<Delivery, "columnKey">): Promise<void> => {
      const gone = { accepted: null, unconfirmed: [], foreign: null, overruled: null, waitingSince: null };
      const lastError = refusalSentence("gradebook-emptied");
      const waits = { ...gone, state: "blocked", refusal: "gradebook-emptied", lastError } as const;
      const wanted = { ...column, "desired.score": { $ne: null } };
      const set = { ...waits, urgency: urgency.waiting, ...released };
      await leaveStates(counted, ["delivered", "refused", "held"], wanted, set);
      await model.updateMany({ ...wanted, state: "waiting" }, { $set: set });
      await model.updateMany({ ...column, state: { $ne: "blocked" } }, { $set: gone });
    },
    /** A new term: scores of before are forgotten, and listed again once there are new ones. */
    beginAnew: async (column: Place & Pick<Delivery, "columnKey">): Promise<void> => {
      const none = { desired: null, state: "blocked", refusal: "person-left", lastError: null } as const;
      const before = { ...column, state: { $in: [...notSent] } };
      await model.updateMany(before, { $set: { ...none, urgency: urgency.noNews, ...released } });
    },
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
        return waiting.matchedCount + (await leaveStates(counted, [...keptBack, "delivered"], wanted, again));
      }),
    countAgain: (place: Place): Promise<number> =>
      model.countDocuments({ ...place, state: "waiting", again: true }).exec(),
  };
}
