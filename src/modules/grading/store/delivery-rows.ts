import type { Model } from "mongoose";
import type { RowOf } from "../../../domain/record.ts";
import { refusalSentence } from "../../../kernel/refusal.ts";
import type { AcceptedScore, Delivery, deliveryRecord } from "../rules/delivery.ts";
import {
  type ScoreCounts,
  type ScoreState,
  urgency,
  urgencyOf,
  urgencyOfState,
} from "../rules/score-state.ts";
import type { DueQueue } from "../../../storage/due-heads.ts";
import { released } from "../../../storage/lease.ts";
import type { Tally } from "../../../storage/tally-store.ts";

export type DeliveryRow = RowOf<typeof deliveryRecord>;

/** Tried, and not to be tried again by the clock alone. */
export const keptBack = ["refused", "blocked"] as const;

/** As if never tried. @param now Milliseconds since the epoch. */
export function dueNow(now: number) {
  return {
    state: "waiting",
    urgency: urgency.waiting,
    nextTryAt: now,
    attempts: 0,
    waitingSince: now,
    lastError: null,
    refusal: null,
  } as const;
}

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

type DeliveryPlace = {
  /** The person's sorting key, copied: a store cannot sort by another record. */
  listName: string;
  urgency: number;
};
/** Null where no place is stored. */
export type ListedDelivery = { delivery: Delivery } & {
  [name in keyof DeliveryPlace]: DeliveryPlace[name] | null;
};

const anyUrgency = [null, ...Object.values(urgency)];
const listedUrgencies = [urgency.held, urgency.refused, urgency.waiting, urgency.settled];

function storedStates(state: ScoreState): readonly Delivery["state"][] {
  if (state === "waiting") return ["waiting", "blocked"];
  return [state === "left" ? "held" : state];
}

export function deliveryOrder(model: Model<DeliveryRow>, toDelivery: (row: DeliveryRow) => Delivery) {
  const filterOf = (place: Place, state: ScoreState | null, personIds: readonly string[] | null) => ({
    registrationId: place.registrationId,
    courseId: place.courseId,
    ...(state === null
      ? { urgency: { $in: listedUrgencies } }
      : { urgency: urgencyOfState(state), state: { $in: [...storedStates(state)] } }),
    ...(personIds === null ? {} : { personId: { $in: [...personIds] } }),
  });
  const listed = (row: DeliveryRow): ListedDelivery => ({
    delivery: toDelivery(row),
    listName: row.listName ?? null,
    urgency: row.urgency ?? null,
  });

  return {
    /** By urgency, list name, person, and column. */
    page: async (
      place: Place,
      wanted: { state: ScoreState | null; personIds: readonly string[] | null },
      part: { skip: number; limit: number },
    ): Promise<ListedDelivery[]> => {
      const rows = await model
        .find(filterOf(place, wanted.state, wanted.personIds))
        .sort({ urgency: 1, listName: 1, personId: 1, columnKey: 1 })
        .skip(part.skip)
        .limit(part.limit)
        .lean();
      return rows.map(listed);
    },
    countListed: (
      place: Place,
      wanted: { state: ScoreState | null; personIds: readonly string[] | null },
    ): Promise<number> => model.countDocuments(filterOf(place, wanted.state, wanted.personIds)).exec(),
    countByScoreState: async (place: Place): Promise<ScoreCounts> => {
      const count = (state: ScoreState) => model.countDocuments(filterOf(place, state, null)).exec();
      const [held, refused, waiting, left, delivered, idle] = await Promise.all([
        count("held"),
        count("refused"),
        count("waiting"),
        count("left"),
        count("delivered"),
        count("idle"),
      ]);
      return { held, refused, waiting, left, delivered, idle };
    },
    /** Of earlier versions, or without a known name. */
    listUnplaced: async ({ registrationId, courseId }: Place, limit: number): Promise<Delivery[]> => {
      const unplaced = { registrationId, courseId, urgency: { $in: anyUrgency }, listName: null };
      // A count reads the index only; mostly there is none.
      if ((await model.countDocuments(unplaced)) === 0) return [];
      return (await model.find(unplaced).limit(limit).lean()).map(toDelivery);
    },
    place: async (places: readonly { delivery: Delivery; listName: string }[]): Promise<void> => {
      if (places.length === 0) return;
      await model.bulkWrite(
        places.flatMap(({ delivery, listName }) => {
          const { id: _id, state, columnKey, accepted, foreign, refusal } = delivery;
          const same = { _id, state, ...(accepted === null ? { accepted: null } : {}) };
          return [
            { updateOne: { filter: { _id }, update: { $set: { listName } } } },
            {
              updateOne: {
                filter: same,
                update: { $set: { urgency: urgencyOf({ columnKey, state, accepted, foreign, refusal }) } },
              },
            },
          ];
        }),
        { ordered: true },
      );
    },
  };
}

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
