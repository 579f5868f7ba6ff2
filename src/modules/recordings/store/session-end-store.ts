import { recordModel } from "../../../storage/record-model.ts";
import type { Connection } from "mongoose";
import { type SessionEnd, sessionEndRecord } from "../rules/recording.ts";
import type { AccountId } from "../../../domain/account.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

export type SessionEndStore = ReturnType<typeof createSessionEndStore>;

/** Ends of sessions, one record for each (environment, Space, session). */
export function createSessionEndStore(connection: Connection) {
  const model = recordModel(connection, sessionEndRecord);

  return {
    /** The earliest of several messages counts. */
    note: async ({ endedAt, ...key }: SessionEnd): Promise<void> => {
      const _id = `${key.environment}:${key.spaceId}:${key.sessionId}`;
      await retriedOnDuplicate(() =>
        model.updateOne({ _id }, { $setOnInsert: { _id, ...key }, $min: { endedAt } }, { upsert: true }),
      );
    },
    /** Milliseconds; null when unknown. */
    find: async ({
      environment,
      spaceId,
      sessionId,
    }: Omit<SessionEnd, "endedAt">): Promise<number | null> => {
      const row = await model.findOne({ _id: `${environment}:${spaceId}:${sessionId}` }).lean();
      return row === null ? null : row.endedAt;
    },
    /** Latest first. */
    listOfSpaces: async (
      environment: AccountId,
      spaceIds: readonly string[],
      limit: number,
    ): Promise<SessionEnd[]> =>
      spaceIds.length === 0
        ? []
        : (
            await model
              .find({ environment, spaceId: { $in: [...spaceIds] } })
              .sort({ endedAt: -1 })
              .limit(limit)
              .lean()
          ).map(({ _id, ...end }) => end),
  };
}
