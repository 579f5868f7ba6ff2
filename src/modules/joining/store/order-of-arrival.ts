import type { Model } from "mongoose";
import type { QueuePositionRow } from "./queue-position-row.ts";

/** No more places than this are put in order at once. */
const mostAtOnce = 2_000;
/** What it takes to put places in order. */
const needed = {
  ...{ registrationId: 1, courseId: 1, role: 1, state: 1, turn: 1, arrivedAt: 1 },
  ...{ leaseUntil: 1, seenUntil: 1, returns: 1 },
} as const;

/**
 * Launches finish in any order, above all at different instances, and a turn is given at their end. So new places take their
 * turns among those of their course that launches passed meanwhile: the turns stay, and whoever came earlier gets the earlier
 * one. Hosts stand at the front anyway, and those who had their turn once, or went away, do not go before anybody again.
 * A kill, or another instance at the same work, leaves two with one turn at worst; the earlier then goes first.
 * @returns puts a place that was just written in order, and gives the turn it has then.
 */
export function createOrderOfArrival(model: Model<QueuePositionRow>) {
  const order = async (
    rows: readonly QueuePositionRow[],
    first: QueuePositionRow,
  ): Promise<Map<string, number>> => {
    const { environment, registrationId, courseId } = first;
    const came = Math.min(...rows.map(({ arrivedAt }) => arrivedAt));
    const turn = Math.min(...rows.map((row) => row.turn));
    const [later, behind] = await Promise.all([
      model
        .find({ environment, arrivedAt: { $gte: came } }, needed)
        .sort({ arrivedAt: 1 })
        .limit(mostAtOnce)
        .lean(),
      model
        .find({ registrationId, courseId, state: "waiting", turn: { $gte: turn } }, needed)
        .sort({ turn: -1 })
        .limit(mostAtOnce)
        .lean(),
    ]);
    const found = new Map([...later, ...behind].map((row) => [row._id, row]));
    const inOrder = [...found.values()]
      .filter((row) => row.registrationId === registrationId && row.courseId === courseId)
      .filter(({ state, role, returns }) => state === "waiting" && role === "learner" && returns === 0)
      .filter(({ leaseUntil, seenUntil }) => leaseUntil <= came && seenUntil > came)
      // Of the same millisecond, they stay as they are.
      .sort((one, other) => one.arrivedAt - other.arrivedAt || one.turn - other.turn);
    const turns = inOrder.map((row) => row.turn).sort((one, other) => one - other);
    const moves = inOrder.flatMap((row, index) => {
      const to = turns[index] ?? row.turn;
      return to === row.turn ? [] : [{ id: row._id, from: row.turn, to }];
    });
    if (moves.length > 0)
      await model.bulkWrite(
        moves.map(({ id, from, to }) => ({
          updateOne: { filter: { _id: id, turn: from, state: "waiting" }, update: { $set: { turn: to } } },
        })),
        { ordered: false },
      );
    return new Map(inOrder.map((row, index) => [row._id, turns[index] ?? row.turn]));
  };

  // One after the other in this process, and all that came of a course meanwhile together.
  const next = new Map<string, { rows: QueuePositionRow[]; done: Promise<Map<string, number>> }>();
  let last: Promise<unknown> = Promise.resolve();
  return async (row: QueuePositionRow): Promise<number> => {
    if (row.role !== "learner") return row.turn;
    const key = `${row.registrationId} ${row.courseId}`;
    let pass = next.get(key);
    if (pass === undefined) {
      const rows: QueuePositionRow[] = [];
      const done = last.then(() => {
        next.delete(key);
        return order(rows, row);
      });
      last = done.catch(() => undefined);
      pass = { rows, done };
      next.set(key, pass);
    }
    pass.rows.push(row);
    return (await pass.done).get(row._id) ?? row.turn;
  };
}
