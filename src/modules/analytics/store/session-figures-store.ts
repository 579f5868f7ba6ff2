import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import { openRecords } from "../../../storage/records.ts";
import { type StoredFigures, sessionFiguresRecord } from "../rules/session-figures.ts";

/** What the classroom says about sessions that are over, one record per session. */
export function createSessionFiguresStore(connection: Connection) {
  const sessions = openRecords(connection, sessionFiguresRecord);

  return {
    /** The latest reading counts. */
    keep: async (figures: StoredFigures): Promise<void> => {
      const _id = `${figures.environment}:${figures.sessionId}`;
      await sessions.save({ _id }, { $set: { ...figures } });
    },
    /** Sessions that ended between two times (ms), latest first. */
    listOfSpaces: async (
      environment: AccountId,
      spaceIds: readonly string[],
      { from, to }: { from: number; to: number },
    ): Promise<StoredFigures[]> => {
      const within = { environment, spaceId: { $in: [...spaceIds] }, endedAt: { $gte: from, $lte: to } };
      return await sessions.list(within, { sort: { endedAt: -1 } });
    },
  };
}
