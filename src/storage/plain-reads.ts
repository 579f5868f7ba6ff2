import type { Model, mongo } from "mongoose";

/** In which order, how many, and which fields. */
type Page = Pick<mongo.FindOptions, "sort" | "limit" | "projection">;

/**
 * Reads of a model's records as they are stored, as `find(...).lean()` gives them, past mongoose's queries: these cost as much as
 * the embedded engine's own part of a read, and a launch makes two dozen. For filters whose values have their stored types, as
 * nothing is cast.
 */
export function plainReads<Row extends { _id: string }>(model: Model<Row>) {
  const rows = model.db.collection<Row>(model.collection.collectionName);
  return {
    /** The first match; null for none. */
    one: (filter: mongo.Filter<Row>, page: Omit<Page, "limit"> = {}) => rows.findOne<Row>(filter, page),
    all: (filter: mongo.Filter<Row>, page: Page = {}) => rows.find<Row>(filter, page).toArray(),
  };
}
