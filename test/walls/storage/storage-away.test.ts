import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Socket } from "node:net";
import { type Connection, type Model, mongo, Schema } from "mongoose";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { carryOut } from "../../../src/cli/carry-out.ts";
import { readConfig } from "../../../src/config.ts";
import { type Database, ensureIndexes, openDatabase } from "../../../src/storage/open-database.ts";
import { storageAway } from "../../../src/storage/storage-away.ts";
import { storedCollection } from "../../../src/storage/records.ts";
import { type MongoServer, startMongoServer } from "../../support/stand-ins/mongo-server.ts";
import { patience } from "../../support/patience.ts";
import { passingClock } from "../../support/passing-clock.ts";
import { silent } from "./open-engine.ts";
import { dueHeadRecord } from "../../../src/modules/operations/rules/records.ts";
import { openRecords } from "../../../src/storage/records.ts";
import { forEachTest } from "../../support/for-all-tests.ts";

/** A server's answer to a failed command. */
const answer = (code: number, errorLabels: string[] = []) =>
  new mongo.MongoServerError({ message: "refused", errmsg: "refused", code, errorLabels });

// The drivers' specifications "retryable reads" and "retryable writes", and the results of an election, a lock or a disk error.
const temporary = [
  6, 7, 89, 91, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436, 24, 50, 64, 112, 133, 202, 317, 14031,
];

test.each(temporary)("the server's code %i is a temporary failure of the store: 503, try again", (code) => {
  expect(storageAway(answer(code))).toMatchObject({ code: "storage-away", status: 503, temporary: true });
});

test.each([2, 13, 14, 18, 28, 11000])(
  "the server's code %i is not temporary: somebody must repair something",
  (code) => {
    expect(storageAway(answer(code))).toBeNull();
  },
);

test("an error that the server labels as retryable is temporary, whatever its code", () => {
  for (const label of ["RetryableWriteError", "SystemOverloadedError"])
    expect(storageAway(answer(1, [label]))).toMatchObject({ status: 503, temporary: true });
});

type Thing = { _id: string; n?: number };

function thing(connection: Connection): Model<Thing> {
  if (connection.models["Thing"] !== undefined) return connection.model<Thing>("Thing");
  const schema = new Schema<Thing>({ _id: String, n: Number }, { versionKey: false });
  return connection.model<Thing>("Thing", schema.index({ n: 1 }));
}

const rows = (connection: Connection) => connection.collection<Thing>("things");

async function walked(connection: Connection): Promise<void> {
  for await (const _row of storedCollection(connection, "things").find({})) continue;
}

describe("MongoDB's driver, called through a model or directly", () => {
  let server: MongoServer;
  let database: Database;
  beforeAll(async () => {
    server = await startMongoServer();
    const url = `mongodb://127.0.0.1:${server.port}/away`;
    database = await openDatabase({ url, logger: silent });
    await storedCollection(database.connection, "things").insertOne({ _id: "one" });
  });
  afterAll(async () => {
    await database.close();
    await server.close();
  });

  afterEach(() => {
    server.failWith(null);
  });

  const asked: readonly [string, (database: Database) => Promise<unknown>][] = [
    ["find one past the model", async ({ connection }) => rows(connection).findOne({ _id: "one" })],
    ["list past the model", async ({ connection }) => rows(connection).find({}).toArray()],
    ["find one", async ({ connection }) => thing(connection).findOne({ _id: "one" }).lean()],
    ["list", async ({ connection }) => thing(connection).find({}).lean()],
    ["walk through", async ({ connection }) => walked(connection)],
    ["count", async ({ connection }) => thing(connection).countDocuments({})],
    ["distinct", async ({ connection }) => thing(connection).distinct("_id")],
    ["insert past the model", async ({ connection }) => rows(connection).insertOne({ _id: "two" })],
    ["insert many", async ({ connection }) => thing(connection).insertMany([{ _id: "three" }])],
    ["update", async ({ connection }) => thing(connection).updateOne({ _id: "one" }, { $set: { n: 2 } })],
    [
      "update past the model",
      async ({ connection }) => rows(connection).findOneAndUpdate({ _id: "one" }, { $set: { n: 3 } }),
    ],
    [
      "bulk write",
      async ({ connection }) => thing(connection).bulkWrite([{ deleteOne: { filter: { _id: "two" } } }]),
    ],
    ["delete", async ({ connection }) => thing(connection).deleteOne({ _id: "three" })],
    ["ping", async (opened) => opened.ping()],
    ["make an index", async ({ connection }) => thing(connection).createIndexes()],
  ];

  test.each(asked)(
    "reports 503 for a server that is too slow, and works before and after: %s",
    async (_what, ask) => {
      await ask(database);
      server.failWith(50);
      await expect(ask(database)).rejects.toMatchObject({
        code: "storage-away",
        status: 503,
        temporary: true,
      });
      server.failWith(null);
      expect(await rows(database.connection).findOne({ _id: "one" })).not.toBeNull();
    },
  );

  test("creates indexes for as long as that takes, whatever the limit for other commands", async () => {
    const url = `mongodb://127.0.0.1:${server.port}/away?socketTimeoutMS=100`;
    const hurried = await openDatabase({ url, logger: silent, asItIs: true });
    try {
      const records = openRecords(hurried.connection, dueHeadRecord);
      await ensureIndexes(hurried.connection);
      server.delayBy(300);
      await expect(records.rows({})).rejects.toMatchObject({ code: "storage-away" });
      await expect(ensureIndexes(hurried.connection)).resolves.toBeUndefined();
    } finally {
      server.delayBy(0);
      await hurried.close();
    }
  });

  test("leaves our own error unchanged", async () => {
    server.failWith(2);
    await expect(rows(database.connection).findOne({})).rejects.toMatchObject({ code: 2 });
  });
});

describe("A command on a MongoDB", () => {
  let server: MongoServer;
  forEachTest(async () => (server = await startMongoServer()));

  async function run(words: readonly string[], patienceMs?: number) {
    const said = { out: "", err: "" };
    const code = await carryOut(words, {
      config: () => readConfig(variables(`mongodb://127.0.0.1:${server.port}/commands`)),
      out: (text) => (said.out += text),
      err: (text) => (said.err += text),
      input: async function* () {},
      ...(patienceMs === undefined ? {} : { patienceMs }),
    });
    return { code, ...said };
  }

  test.each([
    ["platform", "list"],
    ["account", "list"],
    ["spaces", "list"],
    ["report", "usage"],
    ["person", "find", "reg_1", "Ada"],
    ["jobs"],
  ])("that only reads leaves the database unchanged: %s %s", async (...words) => {
    await run(words);
    expect(server.asked().length).toBeGreaterThan(0);
    expect(
      server.asked().filter((name) => !["find", "aggregate", "count", "distinct"].includes(name)),
    ).toEqual([]);
  });

  test("that writes creates the indexes, in one command for each kind of records", async () => {
    expect(await run(["invite"])).toMatchObject({ code: 0 });
    const made = server.asked().filter((name) => name === "createIndexes");
    expect(made.length).toBeGreaterThan(70);
    expect(made.length).toBeLessThan(100);
  });

  test("that is down ends it with a sentence and exit status 1", async () => {
    server.failWith(50);
    const { code, out, err } = await run(["platform", "list"], 0);
    expect({ code, out, err }).toEqual({
      code: 1,
      out: "",
      err: "The database doesn't answer right now. Try again.",
    });
  });

  test("that is down for a moment makes it wait, as at a start", async () => {
    server.failWith(50);
    const ran = run(["platform", "list"]);
    await vi.waitFor(() => expect(server.asked().length).toBeGreaterThan(0), patience);
    server.failWith(null);
    expect(await ran).toMatchObject({ code: 0, err: "the database does not answer yet; it is asked again" });
  });
});

const variables = (databaseUrl: string) => ({
  PUBLIC_URL: "https://tool.example",
  SECRET_KEY: "a-secret-key-of-at-least-thirty-two-bytes",
  DATABASE_URL: databaseUrl,
  CLASSROOM_BASE_URL: "https://api.example",
  CLASSROOM_APP_URL: "https://app.example",
  CLASSROOM_API_KEY: "an-api-key",
  CLASSROOM_WEBHOOK_SECRET: "a-webhook-secret",
});

describe("A connection that closes just before the driver writes to it", () => {
  const sockets = new Set<Socket>();
  const keep = (message: unknown) => {
    if (typeof message !== "object" || message === null || !("socket" in message)) return;
    const { socket } = message;
    if (socket instanceof Socket) sockets.add(socket.once("close", () => sockets.delete(socket)));
  };
  let server: MongoServer;
  let database: Database;
  const { clock, pass } = passingClock();
  beforeEach(async () => {
    server = await startMongoServer();
    subscribe("net.client.socket", keep);
    const url = `mongodb://127.0.0.1:${server.port}/away?serverSelectionTimeoutMS=300`;
    database = await openDatabase({ url, logger: silent, clock });
    await database.ping();
  });
  afterEach(async () => {
    unsubscribe("net.client.socket", keep);
    vi.useRealTimers();
    await database.close();
    await server.close();
  });
  const closeAll = () => {
    for (const socket of sockets) socket.destroy();
  };

  test("does not prevent finding the server again, although the driver's monitor waits forever", async () => {
    const client = database.connection.getClient();
    await new Promise<void>((resolve) => {
      client.once("serverHeartbeatStarted", () => {
        closeAll();
        resolve();
      });
    });
    await vi.waitFor(() => {
      expect(sockets.size).toBe(0);
    }, patience);
    // A request that is cut off makes the driver ask its monitor where the server is.
    client.once("connectionCheckedOut", () => setImmediate(closeAll));
    for (const _time of [1, 2]) await expect(database.ping()).rejects.toMatchObject({ code: "storage-away" });
    await pass(20_000, () => Promise.resolve());
    await vi.waitFor(async () => database.ping(), patience);
  });

  test("fails its requests within seconds when the server is down, too", async () => {
    const began = performance.now();
    let isGone = Promise.resolve();
    database.connection.getClient().once("connectionCheckedOut", () => {
      closeAll();
      isGone = server.close();
    });
    await expect(database.ping()).rejects.toMatchObject({ code: "storage-away", status: 503 });
    expect(performance.now() - began).toBeLessThan(30_000);
    await isGone;
  }, 90_000);

  test("fails its requests after about a minute, although the driver waits forever", async () => {
    database.connection.getClient().once("connectionCheckedOut", closeAll);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const asked = expect(database.ping()).rejects.toMatchObject({ code: "storage-away", status: 503 });
    await vi.advanceTimersByTimeAsync(66_000);
    await asked;
  });
});
