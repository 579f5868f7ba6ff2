import { createHmac } from "node:crypto";
import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import { readerOf, type RowOf } from "../../../domain/record.ts";
import { type Erasure, erasureRecord, erasureSaltRecord, tombstoneRecord } from "../rules/erasure.ts";
import { dueHeadsOf, type DueRange, everything } from "../../../storage/due-heads.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { EmbeddedClient } from "../../../storage/embedded/embedded-client.ts";
import { dueClaim, longerLease, never, released } from "../../../storage/lease.ts";
import { plainReads } from "../../../storage/plain-reads.ts";
import { recordModel } from "../../../storage/record-model.ts";

type ErasureProgress = Partial<Pick<Erasure, "state" | "subject" | "rounds" | "doneAt">> &
  Pick<Erasure, "step" | "cursor" | "found" | "erased">;

/** Worked off by one process at a time. */
export function createErasureStore(connection: Connection) {
  const model = recordModel(connection, erasureRecord);
  const firstDue = (_scope: string, dueAt: DueRange) =>
    model.findOne({ dueAt }).sort({ dueAt: 1 }).lean().exec();
  const queue = dueHeadsOf(connection).queue("erasures", firstDue);

  return {
    insert: async ({ id, ...erasure }: Erasure): Promise<void> => {
      // What people ask for goes before retention, of which there may be much in one night.
      const dueAt = erasure.who === "retention" ? erasure.askedAt : 0;
      await queue.announced(everything, dueAt, () =>
        model.create({ _id: id, ...erasure, dueAt, ...released }),
      );
    },
    find: async (id: string): Promise<Erasure | null> => {
      const row = await model.findOne({ _id: id }).lean();
      return row === null ? null : toErasure(row);
    },
    /** The latest, of one LMS or of all. */
    latest: async (registrationId: string | null, limit: number): Promise<Erasure[]> =>
      (
        await model
          .find(registrationId === null ? {} : { registrationId })
          .sort({ askedAt: -1 })
          .limit(limit)
          .lean()
      ).map(toErasure),
    /** The latest that somebody asked for, without retention. */
    listAsked: async (limit: number): Promise<Erasure[]> =>
      (
        await model
          .find({ who: { $in: ["console", "command-line"] } })
          .sort({ askedAt: -1 })
          .limit(limit)
          .lean()
      ).map(toErasure),
    /** Those not done that somebody asked for, up to a limit. */
    countAsked: (limit: number): Promise<number> =>
      model
        .countDocuments({ dueAt: { $lt: never }, who: { $in: ["console", "command-line"] } }, { limit })
        .exec(),
    /** Those of an LMS that are not done. */
    underWay: async (registrationId: string): Promise<Erasure[]> =>
      (await model.find({ registrationId, dueAt: { $lt: never } }).lean()).map(toErasure),
    /** Takes the one that is due longest until `until`; null when none is. */
    claimDue: async (holder: string, now: number, until: number): Promise<Erasure | null> => {
      const take = () => model.findOneAndUpdate(...dueClaim(holder, now, until)).lean();
      const row = await queue.claim(now, { take });
      return row === null ? null : toErasure(row);
    },
    /** Takes a given one, when it is due and free. */
    claim: async (id: string, holder: string, now: number, until: number): Promise<Erasure | null> => {
      const [due, ...rest] = dueClaim(holder, now, until);
      const row = await model.findOneAndUpdate({ _id: id, ...due }, ...rest).lean();
      return row === null ? null : toErasure(row);
    },
    /** Those deleted, while the database's files may hold bytes of them. */
    cleaning: async (): Promise<string[]> =>
      (await model.find({ state: "cleaning" }, { _id: 1 }).lean()).map(({ _id }) => _id),
    /**
     * Leaves no byte of what was deleted in the database's files. A MongoDB server sees to its own.
     * @param night Whether writers may wait for as long as it takes; otherwise only where that is short.
     * @returns false when something is left: try again later.
     */
    leaveNoTrace: async ({ night }: { night: boolean }): Promise<boolean> => {
      const client: unknown = connection.getClient();
      return client instanceof EmbeddedClient ? client.scrub(night) : true;
    },
    /** Whether the files may hold what earlier releases deleted without overwriting. */
    owesScrub: (): boolean => {
      const client: unknown = connection.getClient();
      return client instanceof EmbeddedClient && client.owesScrub();
    },
    /** Nothing of them is left anywhere. */
    finish: async (ids: readonly string[], now: number): Promise<void> => {
      await model.updateMany(
        { _id: { $in: [...ids] }, state: "cleaning" },
        { $set: { state: "done", doneAt: now, dueAt: never, ...released } },
      );
    },
    extend: async (id: string, holder: string, until: number): Promise<boolean> =>
      (await model.updateOne(...longerLease(id, holder, until))).matchedCount === 1,
    /** Stores the progress. @returns false when the claim was lost. */
    note: async (id: string, holder: string, progress: ErasureProgress): Promise<boolean> =>
      (await model.updateOne({ _id: id, leaseHolder: holder }, { $set: { ...progress } })).matchedCount === 1,
    /** Ends the claim. @param dueAt When it continues (ms); null when it is done. */
    settle: async (
      id: string,
      holder: string,
      progress: ErasureProgress,
      dueAt: number | null,
    ): Promise<void> => {
      const to = { ...progress, dueAt: dueAt ?? never, ...released };
      await model.updateOne({ _id: id, leaseHolder: holder }, { $set: to });
      await queue.givenBack(everything, to.dueAt);
    },
  };
}

const toErasure = readerOf(erasureRecord);

/** An LMS's user or a user of the classroom, kept away by a tombstone. */
export type TombstoneKey =
  | { kind: "sub"; deploymentId: string; sub: string }
  | { kind: "user"; environment: AccountId; userId: string };

/** When a person was erased, and whether they have come anew since. */
type Tombstone = { erasedAt: number; risenAt: number | null };

type SaltRow = RowOf<typeof erasureSaltRecord>;

/** An LMS without erasures is asked about again after this (ms), less than the pause of an erasure's rounds. */
const cacheTtlMs = 20_000;

/** Digests of erased people's ids, salted for each LMS: they identify nobody without the id, nor across LMSs. */
export function createTombstoneStore(connection: Connection) {
  const tombstones = recordModel(connection, tombstoneRecord);
  const salts = recordModel(connection, erasureSaltRecord);
  const saltReads = plainReads(salts);
  let every: { rows: readonly SaltRow[]; until: number } = { rows: [], until: 0 };
  const known = new Map<string, { salt: string | null; until: number }>();

  const freshSalt = async (registrationId: string, now: number): Promise<string | null> => {
    const salt = (await saltReads.one({ _id: registrationId }))?.salt ?? null;
    known.set(registrationId, { salt, until: now + cacheTtlMs });
    return salt;
  };
  /** Null while nobody of the LMS was erased: nothing need be looked up. */
  const saltOf = async (registrationId: string, now: number): Promise<string | null> => {
    const remembered = known.get(registrationId);
    if (remembered !== undefined && now < remembered.until) return remembered.salt;
    return freshSalt(registrationId, now);
  };

  return {
    /** Marks a person as erased; a repetition changes only the time. @param newSalt For the first one of an LMS. */
    addTombstones: async (
      registrationId: string,
      keys: readonly TombstoneKey[],
      { erasureId, at, newSalt }: { erasureId: string; at: number; newSalt: string },
    ): Promise<void> => {
      const { salt } = await retriedOnDuplicate(() =>
        salts
          .findOneAndUpdate(
            { _id: registrationId },
            { $setOnInsert: { salt: newSalt } },
            { upsert: true, returnDocument: "after" },
          )
          .lean(),
      );
      known.set(registrationId, { salt, until: at + cacheTtlMs });
      every = { rows: [], until: 0 };
      for (const key of keys) {
        const _id = digestOf(salt, registrationId, key);
        const to = { registrationId, erasureId, erasedAt: at, risenAt: null };
        await retriedOnDuplicate(() => tombstones.updateOne({ _id }, { $set: to }, { upsert: true }));
      }
    },
    /** They came by themselves and are like anybody new; what was before stays erased. */
    reactivate: async (
      registrationId: string,
      who: { deploymentId: string; sub: string },
      now: number,
    ): Promise<void> => {
      // The remembered absence of a salt may be outdated: another process may have begun to erase them.
      const salt = (await saltOf(registrationId, now)) ?? (await freshSalt(registrationId, now));
      if (salt === null) return;
      const _id = digestOf(salt, registrationId, { kind: "sub", ...who });
      const found = await tombstones.findOne({ _id, risenAt: null }).lean();
      if (found === null) return;
      await tombstones.updateMany(
        { registrationId, erasureId: found.erasureId, risenAt: null },
        { $set: { risenAt: now } },
      );
    },
    /** Which users of an LMS are erased and have not come since; a few hundred at most. */
    erasedSubs: async (
      { registrationId, deploymentId }: { registrationId: string; deploymentId: string },
      subs: readonly string[],
      now: number,
    ): Promise<Set<string>> => {
      const salt = await saltOf(registrationId, now);
      if (salt === null || subs.length === 0) return new Set();
      const byDigest = new Map(
        subs.map((sub) => [digestOf(salt, registrationId, { kind: "sub", deploymentId, sub }), sub]),
      );
      const rows = await tombstones.find({ _id: { $in: [...byDigest.keys()] }, risenAt: null }).lean();
      return new Set(rows.flatMap(({ _id }) => byDigest.get(_id) ?? []));
    },
    /** Null for a person never erased. */
    find: async (registrationId: string, key: TombstoneKey, now: number): Promise<Tombstone | null> => {
      const salt = await saltOf(registrationId, now);
      if (salt === null) return null;
      const row = await tombstones.findOne({ _id: digestOf(salt, registrationId, key) }).lean();
      return row === null ? null : { erasedAt: row.erasedAt, risenAt: row.risenAt };
    },
    /** Texts that are users whom an LMS erased, with that LMS. @param texts Called only when anybody was erased. */
    erasedUsers: async (
      environment: AccountId,
      texts: () => readonly string[],
      now: number,
    ): Promise<(Tombstone & { userId: string; registrationId: string })[]> => {
      if (now >= every.until) every = { rows: await salts.find({}).lean(), until: now + cacheTtlMs };
      if (every.rows.length === 0) return [];
      const users = texts();
      const byDigest = new Map(
        every.rows.flatMap(({ _id: registrationId, salt }) =>
          users.map((userId) => [
            digestOf(salt, registrationId, { kind: "user", environment, userId }),
            userId,
          ]),
        ),
      );
      const rows = await tombstones.find({ _id: { $in: [...byDigest.keys()] } }).lean();
      return rows.map(({ _id, registrationId, erasedAt, risenAt }) => ({
        userId: byDigest.get(_id) ?? "",
        registrationId,
        erasedAt,
        risenAt,
      }));
    },
  };
}

function digestOf(salt: string, registrationId: string, key: TombstoneKey): string {
  const parts =
    key.kind === "sub" ? [key.kind, key.deploymentId, key.sub] : [key.kind, key.environment, key.userId];
  return createHmac("sha256", salt)
    .update(JSON.stringify([registrationId, ...parts]))
    .digest("base64url");
}
