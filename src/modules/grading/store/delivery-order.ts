import type { Model } from "mongoose";
import type { Delivery } from "../rules/delivery.ts";
import type { ScoreCounts, ScoreState } from "../rules/score-state.ts";
import { urgency, urgencyOf, urgencyOfState } from "../rules/score-urgency.ts";
import type { DeliveryRow } from "./delivery-row.ts";

type Place = Pick<Delivery, "registrationId" | "courseId">;

export type DeliveryPlace = {
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
