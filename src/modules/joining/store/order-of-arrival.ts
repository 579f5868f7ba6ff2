import type { Model } from "mongoose";
import { plainReads } from "../../../storage/plain-reads.ts";
import type { QueuePositionRow } from "./queue-position-row.ts";
import { maxOrderedRows } from "../rules/limits.ts";

const needed = {
  ...{ registrationId: 1, courseId: 1, role: 1, state: 1, turn: 1, arrivedAt: 1 },
  ...{ leaseUntil: 1, seenUntil: 1, returns: 1 },
} as const;

/**
 * Launches finish in any order, above all on different instances, and get their turn at their end. So new positions
 * swap turns with those of their course that overtook them: earlier arrivals get the earlier of the same turns. Hosts
 * stand at the front anyway; people who had their turn, or left, overtake nobody. A crash or a concurrent instance
 * leaves two with one turn at worst; the earlier arrival then goes first.
 * @returns a function that orders a new position and gives its turn.
 */
export function createOrderOfArrival(model: Model<QueuePositionRow>) {
  const reads = plainReads(model);
  // Past mongoose, as the reads: a class that arrives together swaps turns at every launch.
  const rows = model.db.collection<QueuePositionRow>(model.collection.collectionName);
  const order = async (
    arrived: readonly QueuePositionRow[],
    first: QueuePositionRow,
  ): Promise<Map<string, number>> => {
    const { environment, registrationId, courseId } = first;
    const came = Math.min(...arrived.map(({ arrivedAt }) => arrivedAt));
    const turn = Math.min(...arrived.map((row) => row.turn));
    const [later, behind] = await Promise.all([
      reads.all(
        { environment, arrivedAt: { $gte: came } },
        { projection: needed, sort: { arrivedAt: 1 }, limit: maxOrderedRows },
      ),
      reads.all(
        { registrationId, courseId, state: "waiting", turn: { $gte: turn } },
        { projection: needed, sort: { turn: -1 }, limit: maxOrderedRows },
      ),
    ]);
    const found = new Map([...later, ...behind].map((row) => [row._id, row]));
    const inOrder = [...found.values()]
      .filter((row) => row.registrationId === registrationId && row.courseId === courseId)
      .filter(({ state, role, returns }) => state === "waiting" && role === "learner" && returns === 0)
      .filter(({ leaseUntil, seenUntil }) => leaseUntil <= came && seenUntil > came)
      // Of the same millisecond: unchanged.
      .sort((one, other) => one.arrivedAt - other.arrivedAt || one.turn - other.turn);
    const turns = inOrder.map((row) => row.turn).sort((one, other) => one - other);
    const moves = inOrder.flatMap((row, index) => {
      const to = turns[index] ?? row.turn;
      return to === row.turn ? [] : [{ id: row._id, from: row.turn, to }];
    });
    if (moves.length > 0)
      await rows.bulkWrite(
        moves.map(({ id, from, to }) => ({
          updateOne: { filter: { _id: id, turn: from, state: "waiting" }, update: { $set: { turn: to } } },
        })),
        { ordered: false },
      );
    return new Map(inOrder.map((row, index) => [row._id, turns[index] ?? row.turn]));
  };

  // One pass at a time in this process, for all of a course that came meanwhile.
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
