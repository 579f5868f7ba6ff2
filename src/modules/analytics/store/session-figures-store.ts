import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import { readerOf } from "../../../domain/record.ts";
import type { PersonFigures } from "../../../domain/session-figures.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { type KeptFigures, personFiguresRecord, sessionFiguresRecord } from "../rules/records.ts";

export type SessionFiguresStore = ReturnType<typeof createSessionFiguresStore>;

/** What the classroom says of sessions that are over: one record for each session, and one for each person in it. */
export function createSessionFiguresStore(connection: Connection) {
  const sessions = recordModel(connection, sessionFiguresRecord);
  const people = recordModel(connection, personFiguresRecord);
  const idOf = ({ environment, sessionId }: SessionKey) => `${environment}:${sessionId}`;

  return {
    /** The latest reading counts. People whom it does not name any more are left out. */
    keep: async (kept: KeptFigures, all: readonly PersonFigures[]): Promise<void> => {
      const { environment, sessionId, endedAt } = kept;
      const ids = all.map(({ userId }) => `${idOf(kept)}:${userId}`);
      const writes = all.map(({ userId, figures }, at) => ({
        updateOne: {
          filter: { _id: ids[at] ?? "" },
          update: { $set: { environment, sessionId, userId, endedAt, figures } },
          upsert: true,
        },
      }));
      // People first: as long as the session has no record, it is read once more.
      if (writes.length > 0) await retriedOnDuplicate(() => people.bulkWrite(writes, { ordered: false }));
      await people.deleteMany({ environment, sessionId, _id: { $nin: ids } });
      await retriedOnDuplicate(() =>
        sessions.updateOne({ _id: idOf(kept) }, { $set: { ...kept } }, { upsert: true }),
      );
    },
    find: async (key: SessionKey): Promise<KeptFigures | null> => {
      const row = await sessions.findById(idOf(key)).lean();
      return row === null ? null : toFigures(row);
    },
    /** In no order. */
    peopleIn: async ({ environment, sessionId }: SessionKey, limit: number): Promise<PersonFigures[]> =>
      (await people.find({ environment, sessionId }).limit(limit).lean()).map(({ userId, figures }) => ({
        userId,
        figures,
      })),
    /** Latest first. */
    listOfSpaces: async (
      environment: AccountId,
      spaceIds: readonly string[],
      limit: number,
    ): Promise<KeptFigures[]> =>
      spaceIds.length === 0
        ? []
        : (
            await sessions
              .find({ environment, spaceId: { $in: [...spaceIds] } })
              .sort({ endedAt: -1 })
              .limit(limit)
              .lean()
          ).map(toFigures),
  };
}

type SessionKey = { environment: AccountId; sessionId: string };

const toFigures = readerOf(sessionFiguresRecord);
