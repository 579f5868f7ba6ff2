import type { Connection } from "mongoose";

export type StoredDocument = { _id: string } & Record<string, unknown>;

/**
 * A collection without its models: for migrations, which read records of earlier releases, and for copies. The
 * connection is open. Options go into the call: the embedded engine has no chained ones.
 */
export function storedCollection<T extends { _id: string } = StoredDocument>(
  connection: Connection,
  name: string,
) {
  const { db } = connection;
  if (db === undefined) throw new Error("The database is not open.");
  return db.collection<T>(name);
}

/** Collections by the names of their models, which stores opened before; read and written past mongoose. */
export function collectionsByModel(connection: Connection) {
  return (model: string) =>
    connection.collection<StoredDocument>(connection.model(model).collection.collectionName);
}
