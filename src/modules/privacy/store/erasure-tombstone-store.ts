import type { RowOf } from "../../../domain/record.ts";
import { plainReads } from "../../../storage/plain-reads.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { erasureSaltRecord, tombstoneRecord } from "../rules/records.ts";
import { createHmac } from "node:crypto";
import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

/** An LMS's user or a user of the classroom, kept away by a tombstone. */
export type TombstoneKey =
  | { kind: "sub"; deploymentId: string; sub: string }
  | { kind: "user"; environment: AccountId; userId: string };

/** When a person was erased, and whether they have come anew since. */
export type Tombstone = { erasedAt: number; risenAt: number | null };

type SaltRow = RowOf<typeof erasureSaltRecord>;
export type TombstoneStore = ReturnType<typeof createTombstoneStore>;

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
