import mongoose, { type Connection } from "mongoose";
import { type Clock, systemClock } from "../kernel/clock.ts";
import { messageOf, NamedError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";
import { EmbeddedClient } from "./embedded/embedded-client.ts";
import { createEmbeddedDriver } from "./embedded/embedded-driver.ts";
import { sayWhenAway, storageAway } from "./storage-away.ts";

/** An open database. */
export type Database = {
  /** Models are made on this connection; see `ensureIndexes`. */
  connection: Connection;
  engine: "embedded" | "mongodb";
  /** Resolves when the database answers. */
  ping: () => Promise<void>;
  /** Deletes expired documents now, on the embedded engine; a MongoDB server does that by itself. */
  sweepExpired: () => Promise<number>;
  /** Finishes the writes under way and closes; safe to call twice. */
  close: () => Promise<void>;
};

/**
 * Opens the database that DATABASE_URL names: `file:<folder>` is the embedded engine, `mongodb://` and
 * `mongodb+srv://` a server. Each call makes its own mongoose instance, so both may be open in one process.
 * @throws NamedError "bad-database-url", "database-folder", "database-unreadable" or "database-unreachable".
 */
export async function openDatabase(deps: { url: string; logger: Logger; clock?: Clock }): Promise<Database> {
  const { url, logger, clock = systemClock } = deps;
  if (url.startsWith("file:")) return await openEmbedded({ folder: folderOf(url), logger, clock });
  if (/^mongodb(\+srv)?:\/\//.test(url)) return await openMongo(url, logger);
  throw badUrl();
}

/**
 * Waits until the indexes of every model on the connection exist, so that unique keys hold from the first write.
 * @throws NamedError "storage-away" when the server does not answer, or not in time
 */
export async function ensureIndexes(connection: Connection): Promise<void> {
  try {
    for (const model of Object.values(connection.models)) await model.init();
  } catch (thrown) {
    throw storageAway(thrown) ?? thrown;
  }
  const client: unknown = connection.getClient();
  if (client instanceof EmbeddedClient) await client.tellPlanner();
}

function badUrl(): NamedError {
  return new NamedError(
    "bad-database-url",
    "DATABASE_URL must be file:<folder>, such as file:./data, or begin with mongodb:// or mongodb+srv://.",
  );
}

/** `file:./data`, `file:data`, `file:/var/lib/spaces` and `file:///var/lib/spaces` all name a folder. */
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
    close: () => connection.close(),
  };
}

/**
 * How long nothing waits for longer (ms) while no server answers: for a server that may do it, for a connection, and,
 * together, for one that has gone silent, whose calls are then given up. An election of a new primary takes seconds.
 */
const patience = {
  serverSelectionTimeoutMS: 4_000,
  waitQueueTimeoutMS: 4_000,
  connectTimeoutMS: 3_000,
  heartbeatFrequencyMS: 2_000,
};

/** What the address does not say itself; options would win over it. */
function unlessIn(url: string, options: Record<string, number>): Record<string, number> {
  const said = url.toLowerCase();
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => !said.includes(`${name.toLowerCase()}=`)),
  );
}

async function openMongo(url: string, logger: Logger): Promise<Database> {
  const instance = new mongoose.Mongoose();
  const connection = instance.createConnection(url, {
    ...unlessIn(url, patience),
    // A command that waited for the server's return would be an answer that does not come.
    bufferCommands: false,
    autoIndex: true,
    writeConcern: { w: "majority" },
  });
  sayWhenAway(connection);
  connection.on("error", (thrown: unknown) =>
    logger.warn({ reason: messageOf(thrown) }, "database connection error"),
  );
  try {
    await connection.asPromise();
  } catch (thrown) {
    await connection.close();
    throw new NamedError(
      "database-unreachable",
      `The MongoDB of DATABASE_URL does not answer (${messageOf(thrown)}): check its address and credentials.`,
      { cause: thrown, temporary: true, status: 503 },
    );
  }
  return {
    connection,
    engine: "mongodb",
    ping: async () => {
      await connection.db?.admin().ping();
    },
    sweepExpired: () => Promise.resolve(0),
    close: () => connection.close(),
  };
}
