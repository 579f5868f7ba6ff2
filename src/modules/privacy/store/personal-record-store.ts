import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import type { RecordChange, RecordFilter } from "../../../domain/held-record.ts";
import { type Receipt, receiptRecord, type ReceiptState } from "../../../inbox/rules/receipt.ts";
import { redactedBody } from "../rules/erasure.ts";
import { openRecords } from "../../../storage/records.ts";

export type StoredRecord = Record<string, unknown> & { _id: string };

export type PersonalRecordStore = ReturnType<typeof createPersonalRecordStore>;

/** All kinds of record by model name, for counting, export and erasure by the table; in batches. */
export function createPersonalRecordStore(connection: Connection) {
  const rows = (model: string) =>
    connection.collection<StoredRecord>(connection.model(model).collection.collectionName);
  const some = async (model: string, filter: RecordFilter, limit: number): Promise<string[]> =>
    (
      await rows(model)
        .find(filter, { projection: { _id: 1 }, limit })
        .toArray()
    ).map(({ _id }) => _id);

  return {
    models: (): string[] => connection.modelNames(),
    count: (model: string, filter: RecordFilter): Promise<number> => rows(model).countDocuments(filter),
    /** By id, after one of them. */
    list: (model: string, filter: RecordFilter, after: string, limit: number): Promise<StoredRecord[]> =>
      rows(model)
        .find({ $and: [filter, { _id: { $gt: after } }] }, { sort: { _id: 1 }, limit })
        .toArray(),
    distinct: async (model: string, field: string, filter: RecordFilter): Promise<string[]> => {
      const values: unknown[] = await rows(model).distinct(field, filter);
      return values.flatMap((value) => (typeof value === "string" ? [value] : []));
    },
    /** @returns how many were deleted; fewer than `limit` when none is left. */
    remove: async (model: string, filter: RecordFilter, limit: number): Promise<number> => {
      const ids = await some(model, filter, limit);
      if (ids.length === 0) return 0;
      // The filter once more: a record that changed since may not match any more.
      const done = await rows(model).deleteMany({ $and: [filter, { _id: { $in: ids } }] });
      return done.deletedCount;
    },
    /** Changes at most so many. @returns how many were changed. */
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

/** Bodies of webhooks, for searching a person in them: no index finds one. */
export function createPrivacyReceiptStore(connection: Connection) {
  const records = openRecords(connection, receiptRecord);
  return {
    /** In the order of their digests, which an index has. */
    listBodies: async (environment: AccountId, after: string, limit: number): Promise<ReceiptBody[]> => {
      const later = { environment, digest: { $gt: after } };
      const rows = await records.some(["digest", "body"], later, { sort: { digest: 1 }, limit });
      return rows.map(({ _id, digest, body }) => ({ id: _id, digest, body }));
    },
    /** The digest stays, so that a repeated webhook is recognised. */
    redact: async (ids: readonly string[]): Promise<void> => {
      const emptied = { body: redactedBody, reason: null, waitsFor: null, waitsForUser: null };
      const ofThese = { _id: { $in: ids } };
      await records.changeAll(
        { ...ofThese, state: { $in: undone } },
        { $set: { ...emptied, state: "kept" }, $unset: { bytes: "" } },
      );
      await records.changeAll(ofThese, { $set: emptied, $unset: { bytes: "" } });
    },
    /** No effect when the body is not the one that was read. */
    rewrite: async ({ id, body }: Pick<ReceiptBody, "id" | "body">, to: string): Promise<void> => {
      await records.change({ _id: id, body }, { $set: { body: to }, $unset: { bytes: "" } });
    },
  };
}
