import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { mongo } from "mongoose";
import { z } from "zod";
import { listen } from "../../../sandbox/listen.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { EmbeddedClient } from "../../../src/storage/embedded/embedded-client.ts";
import type { EmbeddedCollection } from "../../../src/storage/embedded/embedded-collection.ts";

/** Answers MongoDB's wire protocol from the embedded engine, for what only MongoDB's driver and a network show. */
export type MongoServer = {
  port: number;
  /** From now on every command except the driver's monitoring fails with this code; null: none. */
  failWith: (code: number | null) => void;
  /** From now on delays every answer by this much (ms), as a network does. */
  delayBy: (ms: number) => void;
  /** The names of all commands so far, except the driver's monitoring. */
  asked: () => readonly string[];
  close: () => Promise<void>;
};

const document = z.record(z.string(), z.unknown());
const several = z.array(document);
const looks = ["hello", "ismaster", "isMaster", "ping", "endSessions"];

type Document = Record<string, unknown>;

const cursor = (firstBatch: readonly unknown[]) => ({
  cursor: { id: mongo.Long.ZERO, ns: "any.any", firstBatch },
});

/** Every command that the stores make the driver send, by its name. */
const commands: Record<string, (rows: EmbeddedCollection, command: Document) => Promise<Document>> = {
  find: async (rows, { filter = {}, sort, skip, limit, projection }) =>
    cursor(await rows.find(filter, { sort, skip, limit, projection }).toArray()),
  // The driver counts this way.
  aggregate: async (rows, { pipeline }) => {
    const stages = Object.fromEntries(several.parse(pipeline).flatMap((stage) => Object.entries(stage)));
    const n = await rows.countDocuments(stages["$match"], { skip: stages["$skip"], limit: stages["$limit"] });
    return cursor([{ _id: 1, n }]);
  },
  count: async (rows) => ({ n: await rows.countDocuments({}) }),
  distinct: async (rows, { key, query }) => ({ values: await rows.distinct(String(key), query) }),
  insert: (rows, command) =>
    eachOf(command, "documents", async (given) => {
      await rows.insertOne(given);
      return { n: 1 };
    }),
  update: (rows, command) =>
    eachOf(command, "updates", async ({ q, u, multi, upsert, sort }) => {
      const isUpdate = Object.keys(document.parse(u))[0]?.startsWith("$") === true;
      const { matchedCount, modifiedCount, upsertedCount, upsertedId } = updated.parse(
        await (multi === true
          ? rows.updateMany(q, u, { upsert })
          : isUpdate
            ? rows.updateOne(q, u, { upsert, sort })
            : rows.replaceOne(q, u, { upsert, sort })),
      );
      const counts = { n: matchedCount + upsertedCount, nModified: modifiedCount };
      return upsertedCount === 0 ? counts : { ...counts, upserted: upsertedId };
    }),
  delete: (rows, command) =>
    eachOf(command, "deletes", async ({ q, limit }) =>
      deleted.parse(await (limit === 1 ? rows.deleteOne(q) : rows.deleteMany(q))),
    ),
  findAndModify: async (rows, { query, update, remove, upsert, sort, fields, new: after }) => {
    const options = { sort, projection: fields };
    const returnDocument = after === true ? "after" : "before";
    // The driver only reads the document.
    const value = await (remove === true
      ? rows.findOneAndDelete(query, options)
      : rows.findOneAndUpdate(query, update, { ...options, upsert, returnDocument }));
    return { value };
  },
  create: () => Promise.resolve({}),
  createIndexes: async (rows, { indexes }) => {
    for (const { key, ...options } of several.parse(indexes)) await rows.createIndex(key, options);
    return {};
  },
  listIndexes: async (rows) => cursor(await rows.indexes()),
  drop: async (rows) => ({ dropped: await rows.drop() }),
  dropIndexes: (rows, { index }) => rows.dropIndex(String(index)).then(() => ({})),
};

const updated = z.object({
  matchedCount: z.number(),
  modifiedCount: z.number(),
  upsertedCount: z.number(),
  upsertedId: z.unknown(),
});
const deleted = z.object({ deletedCount: z.number() }).transform(({ deletedCount: n }) => ({ n }));

/** Executes writes one after the other; a refused one goes into the reply, and ends an ordered list. */
async function eachOf(
  command: Document,
  field: string,
  write: (given: Document) => Promise<{ n: number; nModified?: number; upserted?: unknown }>,
): Promise<Document> {
  const sum = { n: 0, nModified: 0 };
  const upserted: Document[] = [];
  const writeErrors: Document[] = [];
  for (const [at, given] of several.parse(command[field]).entries())
    try {
      const done = await write(given);
      sum.n += done.n;
      sum.nModified += done.nModified ?? 0;
      if (done.upserted !== undefined) upserted.push({ index: at, _id: done.upserted });
    } catch (thrown) {
      if (!(thrown instanceof mongo.MongoServerError)) throw thrown;
      writeErrors.push({ ...thrown.errorResponse, index: at });
      if (command["ordered"] !== false) break;
    }
  const lists = { upserted, writeErrors };
  return { ...sum, ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) };
}

const asServer = new AsyncLocalStorage<true>();

/** Whether the embedded engine is called on behalf of such a server, and not of a tool in the same process. */
export function isAskedByServer(): boolean {
  return asServer.getStore() === true;
}

/** Listens on a free loopback port. */
export async function startMongoServer(): Promise<MongoServer> {
  const folder = await mkdtemp(join(tmpdir(), "spaces-mongo-"));
  const client = new EmbeddedClient({ folder, logger: createLogger("silent"), clock: systemClock });
  const db = client.db();
  const sockets = new Set<Socket>();
  let failing: number | null = null;
  let delayMs = 0;
  const asked: string[] = [];

  const answer = async (command: Document): Promise<Document> => {
    const name = Object.keys(command)[0] ?? "";
    if (looks.includes(name)) return { ...greeting, localTime: new Date() };
    asked.push(name);
    if (delayMs > 0) await setTimeout(delayMs);
    if (failing !== null) return { ok: 0, code: failing, errmsg: "It fails on purpose." };
    if (name === "dropDatabase") return { ok: Number(await db.dropDatabase()) };
    if (name === "listCollections") return { ...cursor(await db.listCollections().toArray()), ok: 1 };
    const known = commands[name];
    if (known === undefined) return { ok: 0, code: 59, errmsg: `no such command: ${name}` };
    try {
      const rows = db.collection(String(command[name]));
      return { ...(await asServer.run(true, () => known(rows, command))), ok: 1 };
    } catch (thrown) {
      if (thrown instanceof mongo.MongoServerError) return { ...thrown.errorResponse, ok: 0 };
      return { ok: 0, code: 1, errmsg: String(thrown) };
    }
  };

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    let heard = Buffer.alloc(0);
    socket.on("data", (part: Buffer) => {
      heard = Buffer.concat([heard, part]);
      while (heard.length >= 4 && heard.length >= heard.readInt32LE(0)) {
        const message = heard.subarray(0, heard.readInt32LE(0));
        heard = heard.subarray(message.length);
        void answer(commandOf(message)).then((reply) => socket.write(replyTo(message, reply)));
      }
    });
  });
  const port = await listen(server);
  let closing: Promise<void> | null = null;
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
    await client.close();
    await rm(folder, { recursive: true, force: true });
  };
  return {
    port,
    failWith: (code) => {
      failing = code;
    },
    delayBy: (ms) => {
      delayMs = ms;
    },
    asked: () => asked,
    close: () => (closing ??= close()),
  };
}

/** A standalone server, without sessions. */
const greeting = {
  ismaster: true,
  isWritablePrimary: true,
  helloOk: true,
  readOnly: false,
  ok: 1,
  minWireVersion: 0,
  maxWireVersion: 21,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
};

/** OP_QUERY, which the driver uses for its greeting, and OP_MSG (the wire protocol of MongoDB's manual). */
const opCode = { reply: 1, query: 2_004, message: 2_013 };
const headerBytes = 16;

function commandOf(message: Buffer): Document {
  if (message.readInt32LE(12) === opCode.query) {
    const afterName = message.indexOf(0, headerBytes + 4) + 1;
    return bson(message.subarray(afterName + 8));
  }
  const command: Document = {};
  for (let at = headerBytes + 4; at < message.length;) {
    const size = message.readInt32LE(at + 1);
    const section = message.subarray(at + 1, at + 1 + size);
    if (message[at] === 0) Object.assign(command, bson(section));
    else {
      const afterName = section.indexOf(0, 4) + 1;
      command[section.toString("utf8", 4, afterName - 1)] = listOf(section.subarray(afterName));
    }
    at += 1 + size;
  }
  return command;
}

function listOf(bytes: Buffer): Document[] {
  const documents: Document[] = [];
  for (let at = 0; at < bytes.length; at += bytes.readInt32LE(at)) documents.push(bson(bytes.subarray(at)));
  return documents;
}

function bson(bytes: Buffer): Document {
  return mongo.BSON.deserialize(bytes.subarray(0, bytes.readInt32LE(0)));
}

function replyTo(message: Buffer, reply: Document): Buffer {
  const isQuery = message.readInt32LE(12) === opCode.query;
  const body = mongo.BSON.serialize(reply, { ignoreUndefined: true });
  // Flags, then a cursor's id, its starting point and the number of documents; or flags and the kind of the only section.
  const before = Buffer.alloc(isQuery ? 20 : 5);
  if (isQuery) before.writeInt32LE(1, 16);
  const header = Buffer.alloc(headerBytes);
  header.writeInt32LE(headerBytes + before.length + body.length, 0);
  header.writeInt32LE(message.readInt32LE(4), 8);
  header.writeInt32LE(isQuery ? opCode.reply : opCode.message, 12);
  return Buffer.concat([header, before, body]);
}
