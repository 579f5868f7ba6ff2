import type { Connection } from "mongoose";
import type { RecordChange, RecordFilter } from "../../../domain/held-record.ts";

/** A record as it is stored. */
export type StoredRecord = Record<string, unknown> & { _id: string };

export type PersonalRecordStore = ReturnType<typeof createPersonalRecordStore>;

/**
 * Every kind of record by the name of its model, for work that concerns all of them alike: counting, giving out and
 * erasing, driven by the table in modules/privacy/rules/personal-records. Everything goes in slices, so that nobody waits for it.
 */
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
    /** Every kind there is. */
    models: (): string[] => connection.modelNames(),
    count: (model: string, filter: RecordFilter): Promise<number> => rows(model).countDocuments(filter),
    /** Records in the order of their ids, from after one of them. */
    list: (model: string, filter: RecordFilter, after: string, limit: number): Promise<StoredRecord[]> =>
      rows(model)
        .find({ $and: [filter, { _id: { $gt: after } }] }, { sort: { _id: 1 }, limit })
        .toArray(),
    /** The texts that a field has in records a filter finds, each once. */
    distinct: async (model: string, field: string, filter: RecordFilter): Promise<string[]> => {
      const values: unknown[] = await rows(model).distinct(field, filter);
      return values.flatMap((value) => (typeof value === "string" ? [value] : []));
    },
    /** Deletes at most so many. @returns how many were deleted; fewer than `limit` when none is left. */
    remove: async (model: string, filter: RecordFilter, limit: number): Promise<number> => {
      const ids = await some(model, filter, limit);
      if (ids.length === 0) return 0;
      // The filter once more: what has changed since it was found may not be meant any more.
      const done = await rows(model).deleteMany({ $and: [filter, { _id: { $in: ids } }] });
      return done.deletedCount;
    },
    /** Changes at most so many of those the filter finds. @returns how many were changed. */
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
