import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import type { ItemOf, RowOf } from "../../../domain/record.ts";
import { listedAfterMs, maxOrderedRows, maxSummaryAgeMs } from "../rules/limits.ts";
import {
  type QueuePosition,
  type queuePositionRecord,
  queueSummaryRecord,
  queueTurnRecord,
} from "../rules/queue-position.ts";
import { openRecords, type Records, retriedOnDuplicate } from "../../../storage/records.ts";

export type QueuePositionRow = RowOf<typeof queuePositionRecord>;

const needed = [
  ...(["registrationId", "courseId", "role", "state", "turn", "arrivedAt"] as const),
  ...(["leaseUntil", "seenUntil", "returns"] as const),
] as const;

/**
 * Orders a new position by arrival. Launches finish in any order, above all on different instances, and get their turn at the end. So new
 * positions swap turns with positions of their course that overtook them: earlier arrivals get the earlier of the same turns. Hosts are at the
 * front anyway, and people who had their turn or left overtake nobody. At worst, a crash or a concurrent instance leaves two positions with
 * one turn, and the earlier arrival then goes first.
 * @returns a function that orders a new position and returns its turn.
 */
export function createOrderOfArrival(connection: Connection, records: Records<typeof queuePositionRecord>) {
  // Bypasses mongoose, as the reads do: a class that arrives together swaps turns at every launch.
  const rows = connection.collection<QueuePositionRow>(records.collection);
  const order = async (arrived: readonly QueuePositionRow[], first: QueuePositionRow) => {
    const { environment, registrationId, courseId } = first;
    const came = Math.min(...arrived.map(({ arrivedAt }) => arrivedAt));
    const turn = Math.min(...arrived.map((row) => row.turn));
    const [later, behind] = await Promise.all([
      records.some(
        needed,
        { environment, arrivedAt: { $gte: came } },
        { sort: { arrivedAt: 1 }, limit: maxOrderedRows },
      ),
      records.some(
        needed,
        { registrationId, courseId, state: "waiting", turn: { $gte: turn } },
        { sort: { turn: -1 }, limit: maxOrderedRows },
      ),
    ]);
    const found = new Map([...later, ...behind].map((row) => [row._id, row]));
    const inOrder = [...found.values()]
      .filter((row) => row.registrationId === registrationId && row.courseId === courseId)
      .filter(({ state, role, returns }) => state === "waiting" && role === "learner" && returns === 0)
      .filter(({ leaseUntil, seenUntil }) => leaseUntil <= came && seenUntil > came)
      // Keeps the order within a millisecond.
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

  // In this process, one pass at a time orders everyone of a course who came in between.
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

export type TurnOf = Pick<QueuePosition, "environment" | "registrationId" | "courseId" | "role">;

/** The turns by which courses share the queue. Stored as "DoorTurn". @param lastTurn The last turn of a course's people who wait and are present. */
export function createQueueTurns(
  connection: Connection,
  lastTurn: (of: TurnOf, now: number) => Promise<number | null>,
) {
  const turns = openRecords(connection, queueTurnRecord);
  const rows = connection.collection<RowOf<typeof queueTurnRecord>>(turns.collection);

  const raise = async (id: string, turn: number) => {
    await turns.save({ _id: id }, { $max: { turn } });
  };

  /**
   * Shares the queue fairly between courses (start-time fair queueing, where the unit is an entry). A course's people get consecutive turns,
   * never before those being served. So a class of ten that comes after one of a thousand alternates with it, and each course keeps its order
   * of arrival. Turns of people who left are reused, or the rest of their course would stand behind them.
   */
  async function next(position: TurnOf, now: number): Promise<number> {
    const reading = turns.row({ _id: position.environment });
    // A class can't begin without a host, so hosts go to the front.
    if (position.role === "instructor") return (await reading)?.turn ?? 0;
    const course = `${position.environment} ${position.courseId}`;
    const give = async () => {
      const before = await retriedOnDuplicate(() =>
        rows.findOneAndUpdate(
          { _id: course },
          { $inc: { turn: 1 }, $set: { givenAt: now } },
          { upsert: true, returnDocument: "before" },
        ),
      );
      return { turn: (before?.turn ?? 0) + 1, before: before?.givenAt ?? now };
    };
    const [front, { turn, before }] = await Promise.all([reading, give()]);
    const served = front?.turn ?? 0;
    if (turn <= served) {
      await raise(course, served);
      return (await give()).turn;
    }
    if (now - before < listedAfterMs) return turn;
    const due = Math.max(served, (await lastTurn(position, now)) ?? 0) + 1;
    if (turn > due) await turns.change({ _id: course, turn }, { $set: { turn: due } });
    return Math.min(turn, due);
  }

  return {
    next,
    /** Records the turn being served, so nobody gets an earlier one. */
    serve: (environment: AccountId, turn: number): Promise<void> => raise(environment, turn),
  };
}

export type StoredSummary = Omit<ItemOf<typeof queueSummaryRecord>, "nextAt">;
export type QueueSummaryStore = ReturnType<typeof createQueueSummaryStore>;

/** Keeps what the process that last read an account's whole queue leaves for the others. */
export function createQueueSummaryStore(connection: Connection) {
  const records = openRecords(connection, queueSummaryRecord);
  return {
    find: async (environment: AccountId): Promise<StoredSummary | null> => {
      const row = await records.row({ _id: environment });
      // The process was killed during the first reading.
      if (row === null || row.summary === null) return null;
      const { readAt, front, inTrouble, summary } = row;
      return { readAt, front, inTrouble, summary };
    },
    /** Of all processes that ask before `until` (ms), lets one read the queue. */
    claim: (environment: AccountId, now: number, until: number): Promise<boolean> =>
      retriedOnDuplicate(async () => {
        const first = { readAt: 0, front: "", inTrouble: false, summary: null };
        const isDue = { $not: { $gt: now, $lt: now + maxSummaryAgeMs } };
        if (await records.change({ _id: environment, nextAt: isDue }, { $set: { nextAt: until } }))
          return true;
        if (await records.exists({ _id: environment })) return false;
        await records.add({ _id: environment, nextAt: until, ...first });
        return true;
      }),
    keep: async (environment: AccountId, summary: StoredSummary): Promise<void> => {
      await records.change({ _id: environment }, { $set: summary });
    },
  };
}
