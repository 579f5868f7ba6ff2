import type { Connection } from "mongoose";

/** A document as it is stored. */
export type StoredDocument = { _id: string } & Record<string, unknown>;

/**
 * A collection as it is stored, past the models: for migrations, which look at records of earlier releases, and for copies.
 * The connection is open. Options go into the call: the embedded engine has no chained ones.
 */
export function storedCollection<T extends { _id: string } = StoredDocument>(
  connection: Connection,
  name: string,
) {
  const { db } = connection;
  if (db === undefined) throw new Error("The database is not open.");
  return db.collection<T>(name);
}
