import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import { readerOf } from "../../../domain/record.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { type KeptFigures, sessionFiguresRecord } from "../rules/session-figures.ts";

export type SessionFiguresStore = ReturnType<typeof createSessionFiguresStore>;

/** What the classroom says of sessions that are over, one record for each. */
export function createSessionFiguresStore(connection: Connection) {
  const sessions = recordModel(connection, sessionFiguresRecord);
  const toFigures = readerOf(sessionFiguresRecord);

  return {
    /** The latest reading counts. */
    keep: async (kept: KeptFigures): Promise<void> => {
      const _id = `${kept.environment}:${kept.sessionId}`;
      await retriedOnDuplicate(() => sessions.updateOne({ _id }, { $set: { ...kept } }, { upsert: true }));
    },
    /** Those that ended within times (ms), latest first. */
    listOfSpaces: async (
      environment: AccountId,
      spaceIds: readonly string[],
      { from, to }: { from: number; to: number },
    ): Promise<KeptFigures[]> => {
      const within = { environment, spaceId: { $in: [...spaceIds] }, endedAt: { $gte: from, $lte: to } };
      return (await sessions.find(within).sort({ endedAt: -1 }).lean()).map(toFigures);
    },
  };
}
