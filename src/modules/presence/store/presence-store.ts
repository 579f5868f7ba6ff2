import type { ItemOf } from "../../../domain/record.ts";
import { onDuplicate, openRecords } from "../../../storage/records.ts";
import { maxSigns, presenceRecord, type PresenceSign } from "../rules/presence.ts";
import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";

export type PresenceKey = { environment: AccountId; spaceId: string; sessionId: string; userId: string };

/** All signals of one person in one session. Times in ms. */
export type PresenceRecord = ItemOf<typeof presenceRecord>;

/** `revision` grows with every signal. */
export type StoredPresence = PresenceRecord & { revision: number };

export type PresenceStore = ReturnType<typeof createPresenceStore>;

/** Presence: one record per account, Space, session and user, with all signals. */
export function createPresenceStore(connection: Connection) {
  const records = openRecords(connection, presenceRecord);
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
    find: async (key: PresenceKey): Promise<StoredPresence | null> => {
      const row = await records.row({ _id: idOf(key) });
      return row === null ? null : { ...records.read(row), revision: row.revision };
    },
    /**
     * Adds signals of a known person, with the state that all signals result in.
     * @returns false, without writing anything, if other signals came in between or the record is full.
     */
    add: async (
      key: PresenceKey,
      revision: number,
      signs: readonly PresenceSign[],
      state: Pick<PresenceRecord, "open" | "endedAt">,
    ): Promise<boolean> => {
      const update = { ...withSigns(signs), $set: state };
      return records.change({ _id: idOf(key), revision, ...isRoomLeft }, update);
    },
    /**
     * Adds signals in one write. @param signs At least one. By that many, the record may exceed the maximum.
     * @param opens `open` if these are the person's first signals. @returns null if the record is full.
     */
    note: async (
      key: PresenceKey,
      signs: readonly PresenceSign[],
      opens: boolean,
    ): Promise<StoredPresence | null> => {
      const _id = idOf(key);
      const change = { ...withSigns(signs), $setOnInsert: { ...key, open: opens, endedAt: null } };
      const row = await records.saved({ _id, ...isRoomLeft }, change).catch(onDuplicate(null));
      return row === null ? null : { ...records.read(row), revision: row.revision };
    },
    /** Notes a person whose sign (ms) isn't stored. */
    heard: async (key: PresenceKey, at: number): Promise<void> => {
      await records.change({ _id: idOf(key) }, { $max: { lastAt: at } });
    },
    /** Saves the state that the signals result in. Has no effect if another signal came in between, because its writer does this. */
    settle: async (
      key: PresenceKey,
      revision: number,
      state: Partial<Pick<PresenceRecord, "open" | "endedAt">>,
    ): Promise<void> => {
      await records.change({ _id: idOf(key), revision }, { $set: state });
    },
    /** In all accounts, last heard of at or after the first moment (ms) and before the second. */
    listHeard: (from: number, before: number) => records.list({ lastAt: { $gte: from, $lt: before } }),
    /** The earliest time (ms) that `listHeard` would find, or null. */
    firstHeardAt: async (from: number, before: number): Promise<number | null> => {
      const first = await records.row({ lastAt: { $gte: from, $lt: before } }, { sort: { lastAt: 1 } });
      return first?.lastAt ?? null;
    },
    /** Everybody in a Space heard of since a moment (ms) who came before another one. If there are too many, the latest. */
    listOfSpace: async (
      { environment, spaceId }: Pick<PresenceKey, "environment" | "spaceId">,
      { from, to }: { from: number; to: number | null },
      limit: number,
    ): Promise<PresenceRecord[]> => {
      const heard = { environment, spaceId, lastAt: { $gte: from } };
      const filter = to === null ? heard : { ...heard, firstAt: { $lte: to } };
      const rows = [];
      for (const open of [true, false])
        rows.push(...(await records.list({ ...filter, open }, { sort: { lastAt: -1 }, limit })));
      return rows;
    },
    /** The session has ended (ms), for all people in it. Repeatable. */
    endSession: async (
      session: Pick<PresenceKey, "environment" | "spaceId" | "sessionId">,
      endedAt: number,
    ): Promise<void> => {
      await records.changeAll(
        { ...session, open: true },
        { $set: { open: false, endedAt }, $inc: { revision: 1 } },
      );
    },
    /** @param since People silent since then (ms) aren't counted. */
    countHere: async (environment: AccountId, spaceIds: readonly string[], since: number) => {
      const filter = here(environment, spaceIds, since);
      const newest = await records.row(filter, { sort: { lastAt: -1 } });
      if (newest === null) return 0;
      const others = await records.count({ ...filter, sessionId: { $ne: newest.sessionId } });
      // Rare: a person not reported as leaving may be in two sessions at the same time.
      return others === 0 ? records.count(filter) : (await records.distinct("userId", filter)).length;
    },
    /** Latest signal first. */
    listHere: async (environment: AccountId, spaceIds: readonly string[], since: number, limit: number) => {
      const filter = here(environment, spaceIds, since);
      return await records.list(filter, { sort: { lastAt: -1 }, limit });
    },
    /** One user in all Spaces since a moment (ms). If there are too many records, the latest. */
    listOfUser: async (environment: AccountId, userId: string, since: number, limit: number) => {
      const filter = { environment, userId, firstAt: { $gte: since } };
      return await records.list(filter, { sort: { firstAt: -1 }, limit });
    },
    /** At most a few hundred people in some Spaces, between two moments (ms). */
    listOfUsers: async (
      environment: AccountId,
      spaceIds: readonly string[],
      userIds: readonly string[],
      { from, to }: { from: number; to: number },
    ): Promise<PresenceRecord[]> => {
      if (spaceIds.length === 0 || userIds.length === 0) return [];
      const users = { environment, spaceId: { $in: spaceIds }, userId: { $in: userIds } };
      const came = { ...users, firstAt: { $gte: from, $lte: to } };
      const latest = await records.list(came, { sort: { firstAt: -1 }, limit: 2_000 });
      // If a service names no session, one record has all of a person's times in a Space.
      const ids = spaceIds.flatMap((spaceId) =>
        userIds.map((userId) => idOf({ environment, spaceId, sessionId: "", userId })),
      );
      const before = { _id: { $in: ids }, firstAt: { $lt: from }, lastAt: { $gte: from } };
      return [...latest, ...(await records.list(before))];
    },
  };
}

function idOf({ environment, spaceId, sessionId, userId }: PresenceKey): string {
  return JSON.stringify([environment, spaceId, sessionId, userId]);
}
