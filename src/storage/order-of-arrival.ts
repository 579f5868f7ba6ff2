import type { Model } from "mongoose";
import type { PlaceRow } from "./place-row.ts";

/** Launches of the same moment, and no more than so many of them, may have passed each other. */
const mostAtOnce = 500;

/**
 * Launches finish in any order, above all at different instances, and a turn is given at their end. So a new place takes its
 * turn among those of its course that launches passed meanwhile: the turns stay, and whoever came earlier gets the earlier
 * one. Hosts stand at the front anyway, and those who had their turn once, or went away, do not go before anybody again.
 * A kill, or another instance at the same work, leaves two with one turn at worst; the earlier then goes first.
 * @returns puts a place that was just written in order, and gives the turn it has then.
 */
export function createOrderOfArrival(model: Model<PlaceRow>) {
  const among = (row: PlaceRow, other: PlaceRow) =>
    other.registrationId === row.registrationId &&
    other.courseId === row.courseId &&
    other.state === "waiting" &&
    other.role === "learner" &&
    other.returns === 0 &&
    other.leaseUntil <= row.arrivedAt &&
    other.seenUntil > row.arrivedAt;

  return async (row: PlaceRow): Promise<number> => {
    if (row.role !== "learner") return row.turn;
    const { environment, registrationId, courseId, arrivedAt, turn } = row;
    const [later, ahead] = await Promise.all([
      model
        .find({ environment, arrivedAt: { $gt: arrivedAt } })
        .sort({ arrivedAt: 1 })
        .limit(mostAtOnce)
        .lean(),
      model
        .find({ registrationId, courseId, state: "waiting", turn: { $gt: turn } })
        .sort({ turn: -1 })
        .limit(mostAtOnce)
        .lean(),
    ]);
    const passed = [
      ...later.filter((other) => other.turn < turn),
      ...ahead.filter((other) => other.arrivedAt < arrivedAt),
    ].filter((other) => among(row, other));
    if (passed.length === 0) return turn;
    const inOrder = [row, ...passed].sort((one, other) => one.arrivedAt - other.arrivedAt);
    const turns = inOrder.map((one) => one.turn).sort((one, other) => one - other);
    const moves = inOrder.flatMap((one, index) => {
      const to = turns[index] ?? one.turn;
      return to === one.turn ? [] : [{ id: one._id, from: one.turn, to }];
    });
    await model.bulkWrite(
      moves.map(({ id, from, to }) => ({
        updateOne: { filter: { _id: id, turn: from, state: "waiting" }, update: { $set: { turn: to } } },
      })),
      { ordered: false },
    );
    return turns[inOrder.indexOf(row)] ?? turn;
  };
}
