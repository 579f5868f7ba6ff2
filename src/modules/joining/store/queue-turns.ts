import { recordModel } from "../../../storage/record-model.ts";
import { queueTurnRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";
import type { QueuePosition } from "../rules/queue-position.ts";
import type { EnvironmentName } from "../../../domain/registration.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

/** Who a turn is for. */
export type TurnOf = Pick<QueuePosition, "environment" | "registrationId" | "courseId" | "role">;

/** So long after a turn was given its person certainly stands in line (ms), and can be counted there. */
const allStandInLineAfter = 10_000;

/**
 * The turns by which courses share the door, for the places of the line.
 * @param lastTurn The last turn of those of a course who wait and are there; null when nobody is.
 */
export function createQueueTurns(
  connection: Connection,
  lastTurn: (of: TurnOf, now: number) => Promise<number | null>,
) {
  const turns = recordModel(connection, queueTurnRecord);

  const raise = async (id: string, turn: number) => {
    await retriedOnDuplicate(() => turns.updateOne({ _id: id }, { $max: { turn } }, { upsert: true }));
  };

  /**
   * Fair between courses: a course's people get consecutive turns, but never one before those being served now.
   * So a class of ten that comes after one of a thousand alternates with it instead of waiting for it, and within a
   * course everybody keeps the order of arrival (start-time fair queueing, with an entry as the unit). Turns of those
   * who went away unserved are given anew, or the rest of their course would stand behind them.
   */
  async function next(position: TurnOf, now: number): Promise<number> {
    const served = (await turns.findOne({ _id: position.environment }).lean())?.turn ?? 0;
    // Nobody can begin without a host, so hosts go to the front.
    if (position.role === "instructor") return served;
    const course = `${position.environment} ${position.courseId}`;
    const give = async () => {
      const before = await retriedOnDuplicate(() =>
        turns
          .findOneAndUpdate(
            { _id: course },
            { $inc: { turn: 1 }, $set: { givenAt: now } },
            { upsert: true, returnDocument: "before" },
          )
          .lean(),
      );
      return { turn: (before?.turn ?? 0) + 1, before: before?.givenAt ?? now };
    };
    const { turn, before } = await give();
    if (turn <= served) {
      await raise(course, served);
      return (await give()).turn;
    }
    if (now - before < allStandInLineAfter) return turn;
    const due = Math.max(served, (await lastTurn(position, now)) ?? 0) + 1;
    if (turn > due) await turns.updateOne({ _id: course, turn }, { $set: { turn: due } });
    return Math.min(turn, due);
  }

  return {
    /** The turn of somebody who joins the line now. */
    next,
    /** Notes that a turn is being served, so that nobody gets an earlier one from now on. */
    serve: (environment: EnvironmentName, turn: number): Promise<void> => raise(environment, turn),
  };
}
