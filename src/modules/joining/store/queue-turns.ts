import { plainReads } from "../../../storage/plain-reads.ts";
import type { RowOf } from "../../../domain/record.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { queueTurnRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";
import type { QueuePosition } from "../rules/queue-position.ts";
import type { AccountId } from "../../../domain/account.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { listedAfterMs } from "../rules/limits.ts";

export type TurnOf = Pick<QueuePosition, "environment" | "registrationId" | "courseId" | "role">;

/** By which courses share the queue. Stored as "DoorTurn". @param lastTurn Of a course's present waiting people. */
export function createQueueTurns(
  connection: Connection,
  lastTurn: (of: TurnOf, now: number) => Promise<number | null>,
) {
  const turns = recordModel(connection, queueTurnRecord);
  const reads = plainReads(turns);
  const rows = connection.collection<RowOf<typeof queueTurnRecord>>(turns.collection.collectionName);

  const raise = async (id: string, turn: number) => {
    await retriedOnDuplicate(() => turns.updateOne({ _id: id }, { $max: { turn } }, { upsert: true }));
  };

  /**
   * Fair between courses (start-time fair queueing, the unit is an entry): a course's people get consecutive turns,
   * never one before those being served. So a class of ten that follows one of a thousand alternates with it, and a
   * course keeps its order of arrival. Turns of people who left are reused, or the rest of their course would stand
   * behind them.
   */
  async function next(position: TurnOf, now: number): Promise<number> {
    const served = (await reads.one({ _id: position.environment }))?.turn ?? 0;
    // No class begins without a host, so hosts go to the front.
    if (position.role === "instructor") return served;
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
    const { turn, before } = await give();
    if (turn <= served) {
      await raise(course, served);
      return (await give()).turn;
    }
    if (now - before < listedAfterMs) return turn;
    const due = Math.max(served, (await lastTurn(position, now)) ?? 0) + 1;
    if (turn > due) await turns.updateOne({ _id: course, turn }, { $set: { turn: due } });
    return Math.min(turn, due);
  }

  return {
    next,
    /** So that nobody gets an earlier turn. */
    serve: (environment: AccountId, turn: number): Promise<void> => raise(environment, turn),
  };
}
