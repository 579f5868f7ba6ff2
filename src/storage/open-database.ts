import mongoose, { type Connection } from "mongoose";
import { z } from "zod";
import { type Clock, systemClock } from "../kernel/clock.ts";
import { messageOf, NamedError } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";
import { inLanes } from "../kernel/async.ts";
import { createLogger, type Logger } from "../kernel/logger.ts";
import type { BackupStamp } from "./embedded/back-up.ts";
import type { FileCheck } from "./embedded/file-threads.ts";
import { requireDatabase } from "./embedded/sqlite-file.ts";
import { createEmbeddedDriver, EmbeddedClient } from "./embedded/embedded-client.ts";
import { kindsOn, type OpenedKind } from "./records.ts";
import { sayWhenAway, storageAway } from "./storage-away.ts";
import { firstRetryMs, maxParallelIndexes, maxRetryMs, slowIndexesMs } from "./limits.ts";

export type Database = {
  /** The connection on which stores open their records; see `ensureIndexes`. */
  connection: Connection;
  engine: "embedded" | "mongodb";
  /** Resolves if the database can be read and written. */
  ping: () => Promise<void>;
  /** Deletes expired documents now, for the embedded engine. A MongoDB server does that itself. */
  sweepExpired: () => Promise<number>;
  /** Reads the whole file and looks for damage, for the embedded engine. */
  check: () => Promise<FileCheck>;
  /** Deletes the damaged records of a collection, for the embedded engine. @returns how many */
  dropDamaged: (collection: string) => Promise<number>;
  /** The backup from which this database was restored, until `forgetBackup`; null for a MongoDB server. */
  backup: () => BackupStamp | null;
  forgetBackup: () => Promise<void>;
  /** Finishes writes under way and closes. Safe to call twice. */
  close: () => Promise<void>;
};

/**
 * Opens DATABASE_URL: `file:<folder>` is the embedded engine, `mongodb://` and `mongodb+srv://` a server. Each call has its own mongoose
 * instance, so one process may open both.
 * @throws NamedError "bad-database-url", "database-folder", "database-missing", "database-unreadable" or "database-unreachable".
 */
export async function openDatabase(deps: {
  url: string;
  logger: Logger;
  clock?: Clock;
  /** How long to retry if a server doesn't answer (ms); default: not at all. */
  patienceMs?: number;
  /** Doesn't create a missing embedded database; see `openStores`. */
  asItIs?: boolean;
}): Promise<Database> {
  const { url, logger, clock = systemClock, patienceMs = 0, asItIs = false } = deps;
  if (url.startsWith("file:")) {
    const folder = folderOf(url);
    if (asItIs) requireDatabase(folder);
    return await openEmbedded({ folder, logger, clock });
  }
  if (!/^mongodb(\+srv)?:\/\//.test(url)) throw badUrl();
  return await patiently({ clock, logger, patienceMs }, () => openMongo(url, { logger, clock }));
}

/** Repeats work after growing pauses while the server doesn't answer. */
export async function patiently<T>(
  { clock, logger, patienceMs }: { clock: Clock; logger: Logger; patienceMs: number },
  work: () => Promise<T>,
): Promise<T> {
  const until = clock.now() + patienceMs;
  for (let pauseMs = firstRetryMs; ; pauseMs = Math.min(2 * pauseMs, maxRetryMs)) {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof NamedError && thrown.temporary) || clock.now() + pauseMs > until) throw thrown;
      logger.warn({ reason: thrown.message, pauseMs }, "the database does not answer yet; it is asked again");
      await clock.sleep(pauseMs);
    }
  }
}

/**
 * Waits until the indexes of every kind of record exist, so unique keys hold from the first write on.
 * @throws NamedError "storage-away" if the server doesn't answer, or not in time
 */
export async function ensureIndexes(
  connection: Connection,
  waiting: { clock?: Clock; logger?: Logger; patienceMs?: number } = {},
): Promise<void> {
  const { clock = systemClock, logger = createLogger("silent"), patienceMs = 0 } = waiting;
  const kinds = [...kindsOn(connection).values()];
  const client: unknown = connection.getClient();
  if (client instanceof EmbeddedClient) {
    await client.makeIndexes(kinds);
    return;
  }
  const quorum = await patiently({ clock, logger, patienceMs }, () => quorumOf(connection));
  await inLanes(maxParallelIndexes, kinds, (kind) =>
    patiently({ clock, logger, patienceMs }, () => createIndexes(connection, kind, { logger, quorum })),
  );
}

/** No limit, because a large collection takes long. The driver passes `socketTimeoutMS` on to its connection (cmap/connection.js). */
const withoutLimit = { writeConcern: { w: "majority" }, socketTimeoutMS: 0 } as const;

/** One command for all indexes of a kind; it also creates the collection. */
async function createIndexes(
  connection: Connection,
  { collection, indexes }: OpenedKind,
  { logger, quorum }: { logger: Logger; quorum: Quorum },
): Promise<void> {
  if (indexes.length === 0) return;
  const slow = setTimeout(() => {
    const facts = { collection, indexes: indexes.length };
    logger.warn(facts, "the database is still making indexes; the start waits for it");
  }, slowIndexesMs);
  try {
    await connection.collection(collection).createIndexes([...indexes], { ...quorum, ...withoutLimit });
  } finally {
    clearTimeout(slow);
  }
}

type Quorum = { commitQuorum?: "majority" };

const manyMembers = z.union([z.object({ setName: z.string() }), z.object({ msg: z.literal("isdbgrid") })]);

/** By default, all members with data must build an index, so with one of three down, a start would wait for that member. */
async function quorumOf(connection: Connection): Promise<Quorum> {
  const hello = await connection.db?.admin().command({ hello: 1 });
  // A standalone server refuses the option.
  return hasManyMembers(hello) ? { commitQuorum: "majority" } : {};
}

/** @param hello A server's answer to `hello`. */
export function hasManyMembers(hello: unknown): boolean {
  return manyMembers.safeParse(hello).success;
}

function badUrl(): NamedError {
  return refusal("bad-database-url");
}

/** The folder in `file:./data`, `file:data`, `file:/var/lib/spaces` or `file:///var/lib/spaces`. */
export function folderOf(url: string): string {
  const folder = url.slice("file:".length).replace(/^\/\/(?=\/)/, "");
  if (folder === "" || folder.startsWith("//")) throw badUrl();
  return folder;
}

async function openEmbedded(options: { folder: string; logger: Logger; clock: Clock }): Promise<Database> {
  const instance = new mongoose.Mongoose();
  instance.setDriver(createEmbeddedDriver(options));
  const connection = await instance.createConnection(`file:${options.folder}`).asPromise();
  const client: unknown = connection.getClient();
  if (!(client instanceof EmbeddedClient)) throw new Error("mongoose did not use the embedded driver");
  return {
    connection,
    engine: "embedded",
    ping: () => client.ping(),
    sweepExpired: () => client.sweep.run(),
    check: () => client.check(),
    dropDamaged: (collection) => client.dropDamaged(collection),
    backup: () => client.backup(),
    forgetBackup: () => client.forgetBackup(),
    close: () => connection.close(),
  };
}

/** How long to wait at most while no server answers, or one became silent (ms). Electing a primary takes seconds. */
const driverTimeouts = {
  serverSelectionTimeoutMS: 4_000,
  waitQueueTimeoutMS: 4_000,
  connectTimeoutMS: 3_000,
  heartbeatFrequencyMS: 2_000,
  // For a server that answers only heartbeats. Longer than anything the tool asks, except making indexes.
  socketTimeoutMS: 60_000,
  // A tool asks a few things at the same time, and many instances share the server.
  maxPoolSize: 10,
};

/** How long a write waits until the majority has it. */
const writeConcern = { w: "majority", wtimeoutMS: 10_000 } as const;

/** The options that the address doesn't contain. Options would override it. */
function unlessIn(url: string, options: Record<string, number>): Record<string, number> {
  const address = url.toLowerCase();
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => !address.includes(`${name.toLowerCase()}=`)),
  );
}

async function openMongo(
  url: string,
  { logger, clock }: { logger: Logger; clock: Clock },
): Promise<Database> {
  const instance = new mongoose.Mongoose();
  const connection = instance.createConnection(url, {
    ...unlessIn(url, driverTimeouts),
    // A command that waited until the server returns would get no answer in time.
    bufferCommands: false,
    writeConcern,
  });
  connection.on("error", (thrown: unknown) =>
    logger.warn({ reason: messageOf(thrown) }, "database connection error"),
  );
  try {
    await connection.asPromise();
  } catch (thrown) {
    await connection.close();
    throw refusal("database-unreachable", {
      values: { reason: messageOf(thrown) },
      cause: thrown,
      temporary: storageAway(thrown) !== null,
      status: 503,
    });
  }
  const endReconnecting = sayWhenAway(connection, { clock, logger });
  return {
    connection,
    engine: "mongodb",
    // Changes nothing, but counts as a write: it needs a primary and a majority.
    ping: async () => {
      await connection.collection("schemaversions").updateMany({}, { $max: { version: 0 } });
    },
    sweepExpired: () => Promise.resolve(0),
    check: () => Promise.resolve({ problems: [], damaged: [] }),
    dropDamaged: () => Promise.resolve(0),
    backup: () => null,
    forgetBackup: () => Promise.resolve(),
    close: async () => {
      await endReconnecting();
      await connection.close();
    },
  };
}
