import { type ItemOf, readerOf } from "../../../domain/record.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { presenceRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";
import type { PresenceSign } from "../rules/presence.ts";
import type { AccountId } from "../../../domain/account.ts";
import { isDuplicateKey, retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { maxSigns } from "../rules/limits.ts";

export type PresenceKey = {
  environment: AccountId;
  spaceId: string;
  sessionId: string;
  userId: string;
};

/** All signals of one person in one session; times in ms. */
export type PresenceRecord = ItemOf<typeof presenceRecord>;

/** `revision` grows with every signal. */
export type KeptPresence = PresenceRecord & { revision: number };

export type PresenceStore = ReturnType<typeof createPresenceStore>;

/** Presence, one record for each (environment, Space, session, user) with all its signals. */
export function createPresenceStore(connection: Connection) {
  const model = recordModel(connection, presenceRecord);
  const here = (environment: AccountId, spaceIds: readonly string[], since: number) => ({
    environment,
    spaceId: { $in: [...spaceIds] },
    open: true,
    lastAt: { $gte: since },
  });

  const isRoomLeft = { [`signs.${maxSigns - 1}`]: { $exists: false } };
  const withSigns = (signs: readonly PresenceSign[]) => {
    const times = signs.map(({ at }) => at);
    return {
      $addToSet: { signs: { $each: [...signs] } },
      $min: { firstAt: Math.min(...times) },
      $max: { lastAt: Math.max(...times) },
      $inc: { revision: 1 },
    };
  };

  return {
    find: async (key: PresenceKey): Promise<KeptPresence | null> => {
      const row = await model.findOne({ _id: idOf(key) }).lean();
      return row === null ? null : { ...toRecord(row), revision: row.revision };
    },
    /**
     * Signals of somebody known, with what all signals amount to. @returns false, and nothing is written, when others came meanwhile
     * or the record is full.
     */
    add: async (
      key: PresenceKey,
      revision: number,
      signs: readonly PresenceSign[],
      state: Pick<PresenceRecord, "open" | "endedAt">,
    ): Promise<boolean> => {
      const update = { ...withSigns(signs), $set: state };
      const { matchedCount } = await model.updateOne({ _id: idOf(key), revision, ...isRoomLeft }, update);
      return matchedCount === 1;
    },
    /**
     * In one write; a repeated signal changes only the revision. @param signs A few, at least one: that many may exceed
     * the maximum kept. @param opens `open` if these are the person's first signals. @returns null when the record is
     * full and these were dropped.
     */
    note: async (
      key: PresenceKey,
      signs: readonly PresenceSign[],
      opens: boolean,
    ): Promise<KeptPresence | null> => {
      const _id = idOf(key);
      try {
        const row = await retriedOnDuplicate(() =>
          model
            .findOneAndUpdate(
              { _id, ...isRoomLeft },
              { ...withSigns(signs), $setOnInsert: { ...key, open: opens, endedAt: null } },
              { upsert: true, returnDocument: "after" },
            )
            .lean(),
        );
        return { ...toRecord(row), revision: row.revision };
      } catch (thrown) {
        if (isDuplicateKey(thrown)) return null;
        throw thrown;
      }
    },
    /** Of somebody whose sign (ms) is not kept. */
    heard: async (key: PresenceKey, at: number): Promise<void> => {
      await model.updateOne({ _id: idOf(key) }, { $max: { lastAt: at } });
    },
    /** Saves what the signals amount to; no effect when another signal came meanwhile, whose writer does it. */
    settle: async (
      key: PresenceKey,
      revision: number,
      state: Partial<Pick<PresenceRecord, "open" | "endedAt">>,
    ): Promise<void> => {
      await model.updateOne({ _id: idOf(key), revision }, { $set: state });
    },
    /** Of all accounts, heard of last then: from the first moment (ms) on, before the second. */
    listHeard: async (from: number, before: number): Promise<PresenceRecord[]> =>
      (await model.find({ lastAt: { $gte: from, $lt: before } }).lean()).map(toRecord),
    /** Of everybody in a Space, heard of since a moment (ms); the latest ones where there are too many. */
    listOfSpace: async (
      { environment, spaceId }: Pick<PresenceKey, "environment" | "spaceId">,
      since: number,
      limit: number,
    ): Promise<PresenceRecord[]> => {
      const rows = [];
      for (const open of [true, false])
        rows.push(
          ...(await model
            .find({ environment, spaceId, open, lastAt: { $gte: since } })
            .sort({ lastAt: -1 })
            .limit(limit)
            .lean()),
        );
      return rows.map(toRecord);
    },
    /** The session has ended (ms): nobody is in it any more. Repeatable. */
    endSession: async (
      session: Pick<PresenceKey, "environment" | "spaceId" | "sessionId">,
      endedAt: number,
    ): Promise<void> => {
      await model.updateMany(
        { ...session, open: true },
        { $set: { open: false, endedAt }, $inc: { revision: 1 } },
      );
    },
    /** @param since People silent since then (ms) are not counted. */
    countHere: async (
      environment: AccountId,
      spaceIds: readonly string[],
      since: number,
    ): Promise<number> => {
      const filter = here(environment, spaceIds, since);
      const newest = await model.findOne(filter, { sessionId: 1 }).sort({ lastAt: -1 }).lean();
      if (newest === null) return 0;
      const others = await model.countDocuments({ ...filter, sessionId: { $ne: newest.sessionId } });
      // Rare: a person without a reported leaving may be in two sessions at once.
      return others === 0
        ? model.countDocuments(filter).exec()
        : (await model.distinct("userId", filter)).length;
    },
    /** Latest signal first. */
    listHere: async (
      environment: AccountId,
      spaceIds: readonly string[],
      since: number,
      limit: number,
    ): Promise<PresenceRecord[]> => {
      const filter = here(environment, spaceIds, since);
      return (await model.find(filter).sort({ lastAt: -1 }).limit(limit).lean()).map(toRecord);
    },
    /** Of one user in all Spaces, who came since a moment (ms); the latest ones where there are too many. */
    listOfUser: async (
      environment: AccountId,
      userId: string,
      since: number,
      limit: number,
    ): Promise<PresenceRecord[]> => {
      const filter = { environment, userId, firstAt: { $gte: since } };
      return (await model.find(filter).sort({ firstAt: -1 }).limit(limit).lean()).map(toRecord);
    },
    /** Of at most a few hundred people in some Spaces, between two moments (ms). */
    listOfUsers: async (
      environment: AccountId,
      spaceIds: readonly string[],
      userIds: readonly string[],
      { from, to }: { from: number; to: number },
    ): Promise<PresenceRecord[]> => {
      if (spaceIds.length === 0 || userIds.length === 0) return [];
      const rows = await model
        .find({
          environment,
          spaceId: { $in: [...spaceIds] },
          userId: { $in: [...userIds] },
          firstAt: { $gte: from, $lte: to },
        })
        .sort({ firstAt: -1 })
        .limit(2_000)
        .lean();
      return rows.map(toRecord);
    },
  };
}

function idOf({ environment, spaceId, sessionId, userId }: PresenceKey): string {
  return JSON.stringify([environment, spaceId, sessionId, userId]);
}

const toRecord = readerOf(presenceRecord);
