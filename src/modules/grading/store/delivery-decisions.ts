import type { Model } from "mongoose";
import { type Delivery, personalRefusals } from "../rules/delivery.ts";
import { quietFor } from "../rules/score-gathering.ts";
import { urgency } from "../rules/score-urgency.ts";
import { released } from "../../../storage/lease.ts";
import { type DeliveryRow, dueNow } from "./delivery-row.ts";
import type { DueQueue } from "../../../storage/due-heads.ts";
import { leaveStates } from "./delivery-counts.ts";
import type { Tally } from "../../../storage/tally-store.ts";

type Place = Pick<Delivery, "registrationId" | "courseId">;

/** How a course's scores stand. */
export type UnsentScores = {
  /** Since when the one that waits longest has been waiting (ms); null when none waits. */
  oldest: number | null;
  waiting: number;
  /** Where a teacher's grade is in the way and nobody has said what is to be. */
  held: number;
};

/** What scores become while their LMS is left alone. */
export type PausedScores = { nextTryAt: number; reason: string; lastError: string };

/** What people decide about scores: teachers' grades that stand in the way, scores to be sent once more. */
export function deliveryDecisions(counted: { model: Model<DeliveryRow>; delivered: Tally }, queue: DueQueue) {
  const { model } = counted;
  return {
    /**
     * The teacher's grades are to be replaced by ours: the scores that were held are due now. A grade that a teacher
     * has changed once more since is found then, and holds the score again.
     * @param ids Of deliveries of this course; others and those that are not held are left alone.
     * @returns how many there were
     */
    overrule: async (place: Place, ids: readonly string[], now: number): Promise<number> => {
      const held = await model.find({ _id: { $in: [...ids] }, ...place, state: "held" }).lean();
      if (held.length === 0) return 0;
      await queue.announced(place.registrationId, now, async () => {
        for (const { _id, foreign } of held) {
          const overruled = { overruled: foreign ?? null, foreign: null, again: true };
          await model.updateOne(
            { _id, state: "held" },
            { $set: { ...dueNow(now), ...overruled, ...released } },
          );
        }
      });
      return held.length;
    },
    /** The teacher's grades are to stay, whatever attendance makes of them later. @returns how many there were */
    leave: async (place: Place, ids: readonly string[], now: number): Promise<number> => {
      const held = { _id: { $in: [...ids] }, ...place, state: "held" } as const;
      return (await model.updateMany(held, { $set: { "foreign.leftAt": now, urgency: urgency.settled } }))
        .matchedCount;
    },
    /** People who can be graded (again): what was refused because of them is tried once more. */
    retryPeople: async (place: Place, personIds: readonly string[], now: number): Promise<void> => {
      if (personIds.length === 0) return;
      const refused = {
        ...place,
        personId: { $in: [...personIds] },
        state: "refused",
        refusal: { $in: [...personalRefusals] },
      } as const;
      // Mostly there is none, and a write would wait for its turn.
      if ((await model.findOne(refused).lean()) === null) return;
      await queue.announced(place.registrationId, now, () =>
        model.updateMany(refused, { $set: dueNow(now) }),
      );
    },
    /** Everything a course should have in the gradebook is due now, also what arrived; what is held stays held. */
    resendCourse: async (place: Place, now: number): Promise<void> => {
      const due = { nextTryAt: now, attempts: 0, refusal: null, again: true };
      // Who has no score gets none: clearing a cell once more could only harm.
      const scored = { ...place, "desired.score": { $ne: null } };
      await queue.announced(place.registrationId, now, async () => {
        await model.updateMany({ ...place, state: "waiting" }, { $set: due });
        await leaveStates(counted, settledStates, scored, { ...dueNow(now), again: true });
      });
    },
    /**
     * A column has other points now: every score in it is due once more. Claims are taken away, so that an attempt under
     * way with the old points settles nothing; what a teacher gave stays, with what an instructor said about it.
     */
    resendColumn: async (column: Place & Pick<Delivery, "columnKey">, now: number): Promise<void> => {
      const again = { again: true, ...released };
      const scored = { ...column, "desired.score": { $ne: null } };
      await queue.announced(column.registrationId, now, async () => {
        await model.updateMany({ ...column, state: "waiting" }, { $set: { nextTryAt: now, ...again } });
        await leaveStates(counted, settledStates, scored, { ...dueNow(now), ...again });
      });
    },
    /** Nothing more is expected about some people: what waited for that is due in a moment, unless more comes after all. */
    endGathering: async (place: Place, personIds: readonly string[], now: number): Promise<void> => {
      const waiting = {
        ...place,
        personId: { $in: [...personIds] },
        state: "waiting",
        gathering: true,
      } as const;
      // Mostly there is none, and a write would wait for its turn.
      if ((await model.findOne(waiting, { _id: 1 }).lean()) === null) return;
      const dueAt = now + quietFor;
      await queue.announced(place.registrationId, dueAt, () =>
        model.updateMany(waiting, { $min: { nextTryAt: dueAt } }),
      );
    },
    /** Gives claimed scores back that cannot be tried: they wait for their LMS. */
    waitForLms: async (ids: readonly string[], holder: string, paused: PausedScores): Promise<void> => {
      if (ids.length === 0) return;
      const claimed = { _id: { $in: [...ids] }, leaseHolder: holder };
      await model.updateMany({ ...claimed, state: "waiting" }, { $set: { ...paused, ...released } });
      await model.updateMany(claimed, { $set: released });
      const first = await model.findOne({ _id: { $in: [...ids] } }, { registrationId: 1 }).lean();
      if (first !== null) await queue.givenBack(first.registrationId, paused.nextTryAt);
    },
    /** The LMS can be asked again: everything is due now, but for what it has asked us to wait with. */
    retryLms: async (registrationId: string, now: number): Promise<void> => {
      const later = { registrationId, state: "waiting", nextTryAt: { $gt: now } } as const;
      await queue.announced(registrationId, now, () =>
        model.updateMany({ ...later, reason: { $ne: "busy" } }, { $set: { nextTryAt: now } }),
      );
    },
    /** A course's gradebook takes scores again: what was refused because it did not is due now. */
    retryColumnRefused: async (
      column: Place & Pick<Delivery, "columnKey">,
      refusals: readonly string[],
      now: number,
    ): Promise<void> => {
      const refused = { ...column, state: "refused", refusal: { $in: [...refusals] } } as const;
      await queue.announced(column.registrationId, now, () =>
        model.updateMany(refused, { $set: dueNow(now) }),
      );
    },
    /** How the scores of one course stand. */
    unsentOfCourse: async (place: Place): Promise<UnsentScores> => {
      const waiting = { ...place, state: "waiting" } as const;
      const oldest = await model.findOne(waiting).sort({ waitingSince: 1 }).lean();
      const held = await model.find({ ...place, state: "held" }).lean();
      return {
        oldest: oldest?.waitingSince ?? null,
        waiting: await model.countDocuments(waiting),
        held: held.filter(({ foreign }) => (foreign?.leftAt ?? null) === null).length,
      };
    },
    /** How many people have a score in a column, now or once. */
    countOfColumn: (place: Place & Pick<Delivery, "columnKey">): Promise<number> =>
      model.countDocuments({ ...place }).exec(),
    /** Whether anybody should have a score in a column. */
    isWanted: async (place: Place & Pick<Delivery, "columnKey">): Promise<boolean> =>
      (await model.findOne({ ...place, "desired.score": { $ne: null } }).lean()) !== null,
  };
}

const settledStates = ["refused", "delivered"] as const;
