import { createHmac } from "node:crypto";
import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import type { RecordChange, RecordFilter } from "../../../domain/personal-data.ts";
import { scopeBefore } from "../../../domain/person-scope.ts";
import type { RowOf } from "../../../domain/record.ts";
import type { SameAs } from "../../../domain/registration.ts";
import { type Receipt, receiptRecord, type ReceiptState } from "../../../inbox/rules/receipt.ts";
import {
  type Erasure,
  erasureRecord,
  erasureSaltRecord,
  redactedBody,
  tombstoneRecord,
} from "../rules/erasure.ts";
import { openDueQueue, dueClaim, never, released } from "../../../storage/due-queue.ts";
import { EmbeddedClient } from "../../../storage/embedded/embedded-client.ts";
import { collectionsByModel, kindsOn, openRecords } from "../../../storage/records.ts";

type ErasureProgress = Partial<Pick<Erasure, "state" | "subject" | "rounds" | "doneAt">> &
  Pick<Erasure, "step" | "cursor" | "found" | "erased">;

/** All except retention. */
const askedBy: readonly Erasure["who"][] = ["console", "command-line", "lms-administrator"];

/** One process at a time carries out each erasure. */
export function createErasureStore(connection: Connection) {
  const records = openRecords(connection, erasureRecord);
  const queue = openDueQueue(connection, erasureRecord, "erasures");

  return {
    insert: async ({ id, ...erasure }: Erasure): Promise<void> => {
      // What people ask for goes before retention, which may be a lot in one night.
      const dueAt = erasure.who === "retention" ? erasure.askedAt : 0;
      await queue.announced(dueAt, () => records.add({ _id: id, ...erasure, dueAt, ...released }));
    },
    find: (id: string): Promise<Erasure | null> => records.find({ _id: id }),
    /** The latest erasures of one LMS, or of all. */
    latest: (registrationId: string | null, limit: number): Promise<Erasure[]> =>
      records.list(registrationId === null ? {} : { registrationId }, { sort: { askedAt: -1 }, limit }),
    /** The latest erasures that people asked for, without retention. */
    listAsked: (limit: number): Promise<Erasure[]> =>
      records.list({ who: { $in: askedBy } }, { sort: { askedAt: -1 }, limit }),
    /** Unfinished erasures that people asked for, up to a limit. */
    countAsked: (limit: number) => records.count({ dueAt: { $lt: never }, who: { $in: askedBy } }, limit),
    /** An LMS's erasures that aren't done. */
    underWay: (registrationId: string): Promise<Erasure[]> =>
      records.list({ registrationId, dueAt: { $lt: never } }),
    /** Takes the erasure that has been due longest, until `until`, or null. */
    claimDue: queue.claimDue,
    /** Takes a given erasure if it's due and free. */
    claim: async (id: string, holder: string, now: number, until: number): Promise<Erasure | null> => {
      const [due, ...rest] = dueClaim(holder, now, until);
      const row = await records.take({ _id: id, ...due }, ...rest);
      return row === null ? null : records.read(row);
    },
    /** Erasures that have deleted everything, while the database's files may contain bytes of it. */
    cleaning: async () =>
      (await records.some(["_id"], { dueAt: { $lt: never }, state: "cleaning" })).map(({ _id }) => _id),
    /**
     * Leaves no byte of what was deleted in the database's files. A MongoDB server takes care of its own.
     * @param night Whether writers may wait for as long as it takes. If not, it only cleans what takes a short time.
     * @returns false if something is left: try again later.
     */
    leaveNoTrace: async ({ night }: { night: boolean }): Promise<boolean> => {
      const client: unknown = connection.getClient();
      return client instanceof EmbeddedClient ? client.scrub(night) : true;
    },
    /** Whether the files may contain what earlier releases deleted without overwriting. */
    owesScrub: (): boolean => {
      const client: unknown = connection.getClient();
      return client instanceof EmbeddedClient && client.owesScrub();
    },
    /** Nothing of them is left anywhere. */
    finish: async (ids: readonly string[], now: number): Promise<void> => {
      await records.changeAll(
        { _id: { $in: ids }, state: "cleaning" },
        { $set: { state: "done", doneAt: now, dueAt: never, ...released } },
      );
    },
    extend: queue.extend,
    /** Stores the progress. @returns false if the claim was lost. */
    note: (id: string, holder: string, progress: ErasureProgress) =>
      records.change({ _id: id, leaseHolder: holder }, { $set: { ...progress } }),
    /** Ends the claim. @param dueAt When it continues (ms). Null when it's done. */
    settle: async (id: string, holder: string, progress: ErasureProgress, dueAt: number | null) => {
      await queue.settle(id, holder, { ...progress, dueAt: dueAt ?? never });
    },
  };
}

/** An LMS's user or a classroom user that a tombstone keeps away. */
export type TombstoneKey =
  | { kind: "sub"; deploymentId: string; sub: string }
  | { kind: "user"; environment: AccountId; userId: string };

/** When a person was erased, and whether they have come back since. */
type Tombstone = { erasedAt: number; risenAt: number | null };

type SaltRow = RowOf<typeof erasureSaltRecord>;

/** An LMS without erasures is looked up again after this (ms), which is less than the pause between an erasure's rounds. */
const cacheTtlMs = 20_000;

/**
 * Digests of erased people's ids, salted per LMS, so they identify nobody without the id, nor across LMSs. If a registration became another
 * one, its digests keep their id and salt, because the ids from which to make new ones aren't stored.
 */
export function createTombstoneStore(connection: Connection) {
  const tombstones = openRecords(connection, tombstoneRecord);
  const salts = openRecords(connection, erasureSaltRecord);
  let every: { rows: Promise<readonly SaltRow[]>; until: number } | null = null;
  const known = new Map<string, { salts: readonly SaltRow[]; until: number }>();

  /** Salts of the registration and of those that became it. Empty while nobody of the LMS was erased. */
  const freshSalts = async (registrationId: string, now: number): Promise<readonly SaltRow[]> => {
    const found = await salts.rows({
      $or: [{ _id: registrationId }, { "as.registrationId": registrationId }],
    });
    known.set(registrationId, { salts: found, until: now + cacheTtlMs });
    return found;
  };
  const saltsOf = async (registrationId: string, now: number): Promise<readonly SaltRow[]> => {
    const remembered = known.get(registrationId);
    if (remembered !== undefined && now < remembered.until) return remembered.salts;
    return freshSalts(registrationId, now);
  };

  /** One reading serves all webhooks of a batch. */
  const everySalt = (now: number): Promise<readonly SaltRow[]> => {
    if (every !== null && now < every.until) return every.rows;
    const rows = salts.rows({});
    every = { rows, until: now + cacheTtlMs };
    rows.catch(() => {
      every = null;
    });
    return rows;
  };
  const forget = () => {
    known.clear();
    every = null;
  };

  return {
    /** Marks a person as erased. Repeating it changes only the time. @param newSalt For an LMS's first one. */
    addTombstones: async (
      registrationId: string,
      keys: readonly TombstoneKey[],
      { erasureId, at, newSalt }: { erasureId: string; at: number; newSalt: string },
    ): Promise<void> => {
      const salt = await salts.saved({ _id: registrationId }, { $setOnInsert: { salt: newSalt } });
      forget();
      for (const key of keys) {
        const to = { registrationId: salt.as?.registrationId ?? registrationId, erasureId, erasedAt: at };
        await tombstones.save({ _id: digestOf(salt, key) }, { $set: { ...to, risenAt: null } });
      }
    },
    /** A registration has become another one. People erased there stay erased in it. */
    become: async (registrationId: string, as: SameAs): Promise<void> => {
      await salts.change({ _id: registrationId }, { $set: { as } });
      await tombstones.changeAll({ registrationId }, { $set: { registrationId: as.registrationId } });
      forget();
    },
    /** They launched again and are a new person. What was before stays erased. */
    reactivate: async (
      registrationId: string,
      whos: readonly { deploymentId: string; sub: string }[],
      now: number,
    ) => {
      // The cache may wrongly say that there is no salt, because another process may have begun to erase them.
      const remembered = await saltsOf(registrationId, now);
      const some = remembered.length > 0 ? remembered : await freshSalts(registrationId, now);
      const ids = some.flatMap((salt) => whos.map((who) => digestOf(salt, { kind: "sub", ...who })));
      const found = await tombstones.rows({ _id: { $in: ids }, risenAt: null });
      for (const erasureId of new Set(found.map((one) => one.erasureId)))
        await tombstones.changeAll({ registrationId, erasureId, risenAt: null }, { $set: { risenAt: now } });
    },
    /** Which users of an LMS are erased and haven't come since. At most a few hundred. */
    erasedSubs: async (
      { registrationId, deploymentId }: { registrationId: string; deploymentId: string },
      subs: readonly string[],
      now: number,
    ): Promise<Set<string>> => {
      const byDigest = new Map(
        (await saltsOf(registrationId, now)).flatMap((salt) =>
          subs.map((sub) => [digestOf(salt, { kind: "sub", deploymentId, sub }), sub]),
        ),
      );
      const rows = await tombstones.rows({ _id: { $in: [...byDigest.keys()] }, risenAt: null });
      return new Set(rows.flatMap(({ _id }) => byDigest.get(_id) ?? []));
    },
    /** Null for a person who was never erased. */
    find: async (registrationId: string, key: TombstoneKey, now: number): Promise<Tombstone | null> => {
      const ids = (await saltsOf(registrationId, now)).map((salt) => digestOf(salt, key));
      const [latest] = await tombstones.rows({ _id: { $in: ids } }, { sort: { erasedAt: -1 }, limit: 1 });
      return latest === undefined ? null : { erasedAt: latest.erasedAt, risenAt: latest.risenAt };
    },
    /** Which texts are users erased in an LMS, with that LMS. @param texts Only called if a person was erased. */
    erasedUsers: async (environment: AccountId, texts: () => readonly string[], now: number) => {
      const rows = await everySalt(now);
      if (rows.length === 0) return [];
      const users = texts();
      const byDigest = new Map(
        rows.flatMap((salt) =>
          users.map((userId) => [digestOf(salt, { kind: "user", environment, userId }), userId]),
        ),
      );
      const found = await tombstones.rows({ _id: { $in: [...byDigest.keys()] } });
      return found.map(({ _id, registrationId, erasedAt, risenAt }) => ({
        userId: byDigest.get(_id) ?? "",
        registrationId,
        erasedAt,
        risenAt,
      }));
    },
  };
}

function digestOf({ _id: registrationId, salt, as }: SaltRow, key: TombstoneKey): string {
  const parts =
    key.kind === "sub"
      ? [key.kind, scopeBefore(as?.deployments ?? [], key.deploymentId), key.sub]
      : [key.kind, key.environment, key.userId];
  return createHmac("sha256", salt)
    .update(JSON.stringify([registrationId, ...parts]))
    .digest("base64url");
}

/** All kinds of record by model name, in batches, for counting, export and erasure by the table. */
export function createPersonalRecordStore(connection: Connection) {
  const rows = collectionsByModel(connection);
  const some = async (model: string, filter: RecordFilter, limit: number) =>
    (
      await rows(model)
        .find(filter, { projection: { _id: 1 }, limit })
        .toArray()
    ).map(({ _id }) => _id);

  return {
    models: (): string[] => [...kindsOn(connection).keys()],
    count: (model: string, filter: RecordFilter): Promise<number> => rows(model).countDocuments(filter),
    /** By id, after one of them. */
    list: (model: string, filter: RecordFilter, after: string, limit: number) =>
      rows(model)
        .find({ $and: [filter, { _id: { $gt: after } }] }, { sort: { _id: 1 }, limit })
        .toArray(),
    distinct: async (model: string, field: string, filter: RecordFilter): Promise<string[]> => {
      const values: unknown[] = await rows(model).distinct(field, filter);
      return values.flatMap((value) => (typeof value === "string" ? [value] : []));
    },
    /** @returns how many were deleted. Fewer than `limit` if none is left. */
    remove: async (model: string, filter: RecordFilter, limit: number): Promise<number> => {
      const ids = await some(model, filter, limit);
      if (ids.length === 0) return 0;
      // Applies the filter again, because a record that changed since may not match any more.
      const done = await rows(model).deleteMany({ $and: [filter, { _id: { $in: ids } }] });
      return done.deletedCount;
    },
    /** Changes up to a limit. @returns how many were changed. */
    change: async (
      model: string,
      filter: RecordFilter,
      { update, arrayFilters }: RecordChange,
      limit: number,
    ): Promise<number> => {
      const ids = await some(model, filter, limit);
      if (ids.length === 0) return 0;
      const done = await rows(model).updateMany(
        { $and: [filter, { _id: { $in: ids } }] },
        update,
        arrayFilters === undefined ? {} : { arrayFilters: [...arrayFilters] },
      );
      return done.modifiedCount;
    },
  };
}

export type ReceiptBody = Pick<Receipt, "id" | "digest" | "body">;

const undone: ReceiptState[] = ["waiting", "asking", "again", "unmatched", "failed"];

/** Bodies of webhooks, in which to search for a person. No index finds one. */
export function createPrivacyReceiptStore(connection: Connection) {
  const records = openRecords(connection, receiptRecord);
  return {
    /** In the order of their digests, for which there is an index. */
    listBodies: async (environment: AccountId, after: string, limit: number): Promise<ReceiptBody[]> => {
      const later = { environment, digest: { $gt: after } };
      const rows = await records.some(["digest", "body"], later, { sort: { digest: 1 }, limit });
      return rows.map(({ _id, digest, body }) => ({ id: _id, digest, body }));
    },
    /** The digest stays, so a repeated webhook is recognized. */
    redact: async (ids: readonly string[]): Promise<void> => {
      const emptied = { body: redactedBody, reason: null, waitsFor: null, waitsForUser: null };
      const ofThese = { _id: { $in: ids } };
      await records.changeAll(
        { ...ofThese, state: { $in: undone } },
        { $set: { ...emptied, state: "kept" }, $unset: { bytes: "" } },
      );
      await records.changeAll(ofThese, { $set: emptied, $unset: { bytes: "" } });
    },
    /** Has no effect if the body isn't the one that was read. */
    rewrite: async ({ id, body }: Pick<ReceiptBody, "id" | "body">, to: string): Promise<void> => {
      await records.change({ _id: id, body }, { $set: { body: to }, $unset: { bytes: "" } });
    },
  };
}
