import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import { openRecords } from "../../../storage/records.ts";
import { type KeptFigures, sessionFiguresRecord } from "../rules/session-figures.ts";

/** What the classroom says of sessions that are over, one record for each. */
export function createSessionFiguresStore(connection: Connection) {
  const sessions = openRecords(connection, sessionFiguresRecord);

  return {
    /** The latest reading counts. */
    keep: async (kept: KeptFigures): Promise<void> => {
      const _id = `${kept.environment}:${kept.sessionId}`;
      await sessions.save({ _id }, { $set: { ...kept } });
    },
    /** Those that ended within times (ms), latest first. */
    listOfSpaces: async (
      environment: AccountId,
      spaceIds: readonly string[],
      { from, to }: { from: number; to: number },
    ): Promise<KeptFigures[]> => {
      const within = { environment, spaceId: { $in: [...spaceIds] }, endedAt: { $gte: from, $lte: to } };
      return await sessions.list(within, { sort: { endedAt: -1 } });
    },
  };
}
