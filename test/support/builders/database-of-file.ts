import { afterAll, beforeAll } from "vitest";
import { type OpenedStores, openEmptyStores } from "./open-empty-stores.ts";

/**
 * One database for all tests of a file, since opening one takes longer than most tests. To be called at a file's top level.
 * Not where another process or connection works, too: this one's `storage/due-heads` remembers for a second what it has announced,
 * and then writes no head again, which the others would need.
 * @returns what gives the database to a builder, which empties it first.
 */
export function databaseOfFile(): () => OpenedStores {
  let database: OpenedStores | null = null;
  beforeAll(async () => {
    database = await openEmptyStores();
  });
  afterAll(() => database?.close());
  return () => {
    if (database === null) throw new Error("the file's database is open only while its tests run");
    return database;
  };
}
