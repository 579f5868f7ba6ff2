import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { openStores } from "../../../src/open-stores.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { collectionsByModel, kindsOn } from "../../../src/storage/records.ts";

export type DatabaseFile = { name: string; bytes: Uint8Array };

/** The files of a database with all its collections, all empty: copying them takes a third of the CPU of creating them. */
let emptyFiles: Promise<readonly DatabaseFile[]> | null = null;

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "spaces-lti-stores-"));
  try {
    return await work(folder);
  } catch (thrown) {
    await rm(folder, { recursive: true, force: true });
    throw thrown;
  }
}

/** Copies them into a folder. */
export async function makeEmptyDatabase(folder: string): Promise<void> {
  const { close } = await open(`file:${folder}`);
  await close();
}

/** Its files: those that the gate has created for all tests, or new ones. */
export async function emptyDatabase(): Promise<DatabaseFile[]> {
  const made = process.env["EMPTY_DATABASE"];
  if (made !== undefined) return filesIn(made);
  return inFolder(async (folder) => {
    await makeEmptyDatabase(folder);
    const read = await filesIn(folder);
    await rm(folder, { recursive: true });
    return read;
  });
}

async function filesIn(folder: string): Promise<DatabaseFile[]> {
  const names = await readdir(folder);
  return Promise.all(names.map(async (name) => ({ name, bytes: await readFile(join(folder, name)) })));
}

async function open(databaseUrl: string) {
  const logger = createLogger("silent");
  // A test's clock may be months behind: the cleanup, which runs once a minute, would delete what has just been stored.
  const clock = { ...systemClock, now: () => 0 };
  const { connection, close, sweepExpired } = await openDatabase({ url: databaseUrl, logger, clock });
  const stores = await openStores(connection);
  return {
    stores,
    connection,
    databaseUrl,
    /** As if nothing had ever been stored. What stores remember of their own calls, such as what is due next, stays. */
    empty: async (): Promise<void> => {
      for (const name of kindsOn(connection).keys()) {
        const collection = collectionsByModel(connection)(name);
        if ((await collection.countDocuments({})) > 0) await collection.deleteMany({});
      }
    },
    /** What the store does once a minute; nothing expires. */
    sweepExpired,
    close,
  };
}

/** On a database with a random name, which is deleted when it is closed. */
async function openOnServer(server: string): Promise<OpenedStores> {
  const address = new URL(server);
  address.pathname = `/stores-${randomUUID()}`;
  const opened = await open(address.href);
  return {
    ...opened,
    close: async (): Promise<void> => {
      await opened.connection.dropDatabase();
      await opened.close();
    },
  };
}

/** All stores on one database. */
export type OpenedStores = Awaited<ReturnType<typeof open>>;

/** Where a builder puts its course: the address of another process's database, or an open database. */
export type StoresFrom = string | OpenedStores;

/**
 * All stores on their own empty database: an embedded one, or one of MONGODB_URL when that is set. @param from Another process's database
 * to share, unchanged; or an open one, which is emptied and stays open. Don't pass an open one if another process or connection uses it,
 * too: its `storage/due-heads` remembers for a second what it has announced, and does not write a head again that the others would need.
 */
export async function openEmptyStores(from?: StoresFrom): Promise<OpenedStores> {
  if (typeof from === "string") return open(from);
  if (from !== undefined) {
    await from.empty();
    return { ...from, close: () => Promise.resolve() };
  }
  const server = process.env["MONGODB_URL"];
  if (server !== undefined) return openOnServer(server);
  emptyFiles ??= emptyDatabase();
  const files = await emptyFiles;
  return inFolder(async (folder) => {
    for (const { name, bytes } of files) await writeFile(join(folder, name), bytes, { mode: 0o600 });
    const opened = await open(`file:${folder}`);
    return {
      ...opened,
      close: async (): Promise<void> => {
        await opened.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  });
}
