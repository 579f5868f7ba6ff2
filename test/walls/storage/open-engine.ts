import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Connection } from "mongoose";
import { createLogger } from "../../../src/kernel/logger.ts";
import { openStores, type Stores } from "../../../src/open-stores.ts";
import { type Database, ensureIndexes, openDatabase } from "../../../src/storage/open-database.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

/** A database that a test may fill, close, open again and discard. */
export type TestEngine = {
  name: "embedded" | "mongodb";
  open: () => Promise<Database>;
  /** Removes everything; the database is closed by then. */
  discard: () => Promise<void>;
};

/** Creates indexes as at the tool's start, and those of models that a test made itself. */
export async function makeIndexes(connection: Connection): Promise<void> {
  for (const model of Object.values(connection.models)) await model.init();
  await ensureIndexes(connection);
}

/** A quiet log. */
export const silent = createLogger("silent");

/** The embedded engine with its own folder. */
export async function embeddedEngine(): Promise<TestEngine> {
  const folder = await mkdtemp(join(tmpdir(), "spaces-storage-"));
  return {
    name: "embedded",
    open: () => openDatabase({ url: `file:${folder}`, logger: silent }),
    discard: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A database with a random name on the server at `url`. */
export function mongoEngine(url: string): TestEngine {
  const address = new URL(url);
  address.pathname = `/spaces-test-${randomUUID()}`;
  const open = () => openDatabase({ url: address.href, logger: silent });
  return {
    name: "mongodb",
    open,
    discard: async () => {
      const database = await open();
      await database.connection.dropDatabase();
      await database.close();
    },
  };
}

/** The engine's database for all tests of a file, after which the engine is discarded. */
export async function openForAllTests(engine: TestEngine): Promise<Database> {
  const database = await engine.open();
  const close = async () => {
    await database.close();
    await engine.discard();
  };
  return (await forAllTests(Promise.resolve({ database, close }))).database;
}

/** The same with all stores. */
export async function openWhole(engine: TestEngine): Promise<{ database: Database; stores: Stores }> {
  const database = await openForAllTests(engine);
  return { database, stores: await openStores(database.connection) };
}

/** The embedded engine, and a MongoDB if MONGODB_URL names one. */
export async function eachEngine(): Promise<TestEngine[]> {
  const url = process.env.MONGODB_URL;
  return [await embeddedEngine(), ...(url === undefined ? [] : [mongoEngine(url)])];
}

/** A database with all stores on each engine. */
export const openOnEachEngine = async () => Promise.all((await eachEngine()).map(openWhole));
