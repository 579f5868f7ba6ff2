import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { type Connection, mongo, Schema } from "mongoose";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { dropDamaged, dropLeftover } from "../../../src/cli/database-commands.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { openStores } from "../../../src/open-stores.ts";
import { logMarkDelayMs } from "../../../src/storage/embedded/limits.ts";
import { databaseFileName } from "../../../src/storage/embedded/sqlite-file.ts";
import {
  examineDatabase,
  judgeServer,
  requireWhole,
  type ServerFacts,
} from "../../../src/storage/examine-database.ts";
import { type Database, openDatabase } from "../../../src/storage/open-database.ts";
import { openStoreClock } from "../../../src/storage/store-clock.ts";
import { startMongoServer } from "../../support/stand-ins/mongo-server.ts";
import { commandTools, runCommand } from "../../support/tool/run-cli.ts";
import { makeIndexes, silent } from "./open-engine.ts";
import { folderForAll, folderForTest } from "../../support/folders.ts";

type Row = { _id: string; due: number; key: string; n: number; at?: Date; holder?: string };

/** Like a queue: due by an index, unique by another, with a path without an index. */
function rowsOf(connection: Connection) {
  const schema = new Schema<Row>(
    { _id: String, due: Number, key: String, n: Number, at: Date, holder: String },
    { versionKey: false },
  );
  schema.index({ due: 1 }).index({ key: 1 }, { unique: true }).index({ at: 1 }, { expireAfterSeconds: 60 });
  return connection.model<Row>("Row", schema);
}

/** Rows 0 to 9, with changed bytes of 0 and 5 on the disk. */
const original = await folderForAll();
beforeAll(async () => {
  const database = await openDatabase({ url: `file:${original}`, logger: silent });
  const rows = rowsOf(database.connection);
  await makeIndexes(database.connection);
  await rows.insertMany(
    Array.from({ length: 10 }, (_, n) => ({ _id: `row${n}`, due: n, key: `key${n}`, n, at: new Date(n) })),
  );
  await database.close();
  const file = join(original, databaseFileName);
  const bytes = await readFile(file, "latin1");
  const changed = bytes.replace('{"_id":"row0"', '{"_id";"row0"').replace('{"_id":"row5"', '{"_id":#row5"');
  expect(changed).not.toBe(bytes);
  await writeFile(file, changed, "latin1");
});

const toolsOf = (opened: Database) => commandTools({ database: () => Promise.resolve(opened) });

let folder: string;
let database: Database;
let rows: ReturnType<typeof rowsOf>;
let logged: string[];

async function open(): Promise<void> {
  const logger = createLogger("warn", { write: (line) => void logged.push(line) });
  database = await openDatabase({ url: `file:${folder}`, logger });
  rows = rowsOf(database.connection);
  await makeIndexes(database.connection);
}
beforeEach(async () => {
  folder = await folderForTest();
  await cp(original, folder, { recursive: true });
  logged = [];
  await open();
});
afterEach(async () => {
  await database.close();
});

const others = ["row1", "row2", "row3", "row4", "row6", "row7", "row8", "row9"];
async function expectNamed(asking: PromiseLike<unknown>, id: string): Promise<void> {
  const thrown = await asking.then(null, (one: unknown) => one);
  expect(thrown).toMatchObject({ code: "record-damaged", status: 503, temporary: true });
  expect(String(thrown)).toContain(`The database is damaged at ${id}`);
  expect(String(thrown)).toMatch(/ of rows. Restore a backup .*or delete .*drop damaged rows/);
}

test("a note about the log that cannot be written stops neither the process nor the closing", async () => {
  const note = join(folder, `${databaseFileName}.log`);
  await mkdir(note);
  await rows.create({ _id: "row11", due: 11, key: "key11", n: 11 });
  await sleep(3 * logMarkDelayMs);
  expect(await rows.findById("row11").lean()).toMatchObject({ n: 11 });
  await database.close().catch(() => undefined);
  await rm(note, { recursive: true });
  await open();
  expect(await readdir(folder)).toContain(databaseFileName);
});

describe("rows with changed bytes on the disk", () => {
  test.each<[string, () => Promise<readonly { _id: string }[]>]>([
    ["all", () => rows.find().lean()],
    ["by an index", () => rows.find({ due: { $gte: 0 } }).lean()],
    ["by a path without an index", () => rows.find({ n: { $gte: 0 } }).lean()],
    ["by a filter that SQLite cannot decide", () => rows.find({ key: { $not: /x/ } }).lean()],
    ["in order", () => rows.find().sort({ due: 1 }).lean()],
    [
      "a page",
      () =>
        rows
          .find({ n: { $lt: 99 } })
          .sort({ due: 1 })
          .limit(9)
          .lean(),
    ],
    ["by ids", () => rows.find({ _id: { $in: ["row0", ...others] } }).lean()],
  ])("are left out of a list: %s", async (_what, list) => {
    expect((await list()).map(({ _id }) => _id).sort()).toEqual(others);
    expect((await list()).map(({ _id }) => _id).sort(), "again").toEqual(others);
  });

  test("are not counted if a list would not have them", async () => {
    expect(await rows.distinct("n")).toHaveLength(8);
    expect(await rows.countDocuments({ n: { $gte: 0 } })).toBe(8);
    expect(await rows.countDocuments({ due: { $gte: 0 }, key: { $not: /x/ } })).toBe(8);
  });

  test("do not stop a queue in which they are first", async () => {
    const claim = (holder: string) =>
      rows.findOneAndUpdate({ due: { $lte: 9 }, holder: null }, { holder }, { sort: { due: 1 } }).lean();
    const claimed: (string | undefined)[] = [];
    for (const holder of others) claimed.push((await claim(holder))?._id);
    expect(claimed).toEqual(others);
    expect(await claim("nothing is left")).toBeNull();
  });

  test.each<[string, (id: string, key: string) => Promise<unknown>]>([
    ["read by id", (id) => rows.findById(id).lean()],
    ["read by a unique key", (_id, key) => rows.findOne({ key }).lean()],
    ["updated", (id) => rows.updateOne({ _id: id }, { due: 3 })],
    ["created if missing", (_id, key) => rows.updateOne({ key }, { n: 1 }, { upsert: true })],
    ["deleted", (id) => rows.deleteOne({ _id: id })],
    ["deleted by id alone", (id) => rows.deleteMany({ _id: id })],
  ])("are refused by name when one of them is %s", async (_what, ask) => {
    for (let again = 0; again < 2; again += 1) {
      await expectNamed(ask("row0", "key0"), "row0");
      await ask("row1", "key1");
    }
  });

  test("stay when others are deleted or changed, one by one or many", async () => {
    expect((await rows.updateMany({ due: { $lte: 5 } }, { $set: { holder: "x" } })).matchedCount).toBe(4);
    expect((await rows.deleteMany({ due: { $lte: 4 } })).deletedCount).toBe(4);
    expect(await database.sweepExpired()).toBe(4);
    expect(await rows.countDocuments({})).toBe(0);
    expect((await database.check()).damaged.map(({ id }) => id)).toEqual(["row0", "row5"]);
  });

  test("are refused by name in a list that scores are computed from, as scores would be too low without them", async () => {
    const schema = new Schema({ _id: String, courseId: String }, { versionKey: false }).index({
      courseId: 1,
    });
    const attendancesOf = (connection: Connection) => connection.model("Attendance", schema);
    const before = attendancesOf(database.connection);
    await makeIndexes(database.connection);
    await before.insertMany([
      { _id: "one", courseId: "a" },
      { _id: "two", courseId: "a" },
      { _id: "three", courseId: "b" },
    ]);
    await database.close();
    const file = join(folder, databaseFileName);
    await writeFile(file, (await readFile(file, "latin1")).replace('{"_id":"one"', '{"_id";"one"'), "latin1");
    await open();
    const attendances = attendancesOf(database.connection);
    for (let again = 0; again < 2; again += 1) {
      await expect(attendances.find({ courseId: "a" }).lean().exec()).rejects.toMatchObject({
        code: "record-damaged",
        details: { collection: "attendances", ids: "one" },
      });
      expect(await attendances.find({ courseId: "b" }).lean()).toHaveLength(1);
    }
  });

  test("are logged once each, however often they are read", async () => {
    for (let again = 0; again < 3; again += 1) await rows.find().lean();
    expect(logged).toHaveLength(2);
    expect(logged.map((line) => [/"id":"(\w+)"/.exec(line)?.[1], /"level":"(\w+)"/.exec(line)?.[1]])).toEqual(
      [
        ["row0", "error"],
        ["row5", "error"],
      ],
    );
  });

  test("stop a new index, which names them", async () => {
    await expectNamed(rows.collection.createIndex({ n: 1 }, {}, {}), "row0, row5");
  });

  test("are named by the doctor, and deleted by the command that it suggests", async () => {
    const found = (await examineDatabase(database)).filter(({ level }) => level === "wrong");
    expect(found).toEqual([
      {
        level: "wrong",
        message: "2 damaged records of rows: row0, row5.",
        todo: "Restore a backup, or delete what is damaged there: npm run cli -- drop damaged rows",
      },
    ]);
    await expect(requireWhole(database)).rejects.toMatchObject({
      code: "database-damaged",
      message: "2 damaged records of rows: row0, row5. npm run doctor says what to do.",
    });
    expect(await rows.findOne({ due: 0 }).lean()).toBeNull();
    const another = await openDatabase({ url: `file:${folder}`, logger: silent });
    expect(await dropDamaged(toolsOf(another), "rows")).toMatchObject({
      text: "2 damaged record(s) of rows are deleted.",
    });
    await another.close();
    // The process that knew them as damaged continues, with whole rows in their place.
    await rows.create({ _id: "row0", due: 0, key: "key0", n: 0 });
    expect((await rows.findOne({ due: 0 }).lean())?._id).toBe("row0");
    expect(await rows.findOne({ key: "key0" }).lean()).toMatchObject({ _id: "row0" });
    await requireWhole(database);
    expect(await examineDatabase(database)).not.toContainEqual(expect.objectContaining({ level: "wrong" }));
  });
});

test("a page of zeros is found by the full check, which then continues", async () => {
  await database.close();
  const file = join(folder, databaseFileName);
  const sqlite = new DatabaseSync(file);
  const page = Number(
    sqlite.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'i:rows:due_1'").get()?.rootpage,
  );
  const size = Number(sqlite.prepare("PRAGMA page_size").get()?.page_size);
  sqlite.close();
  const bytes = await readFile(file);
  bytes.fill(0, (page - 1) * size, page * size);
  await writeFile(file, bytes);
  await open();
  const { problems, damaged } = await database.check();
  expect(problems.join()).toMatch(/due_1|page|malformed/);
  expect(damaged.map(({ id }) => id)).toEqual(["row0", "row5"]);
});

const variables = {
  PUBLIC_URL: "https://tool.example",
  SECRET_KEY: "a-secret-key-of-at-least-thirty-two-bytes",
  CLASSROOM_BASE_URL: "https://api.example",
  CLASSROOM_APP_URL: "https://app.example",
  CLASSROOM_API_KEY: "an-api-key",
  CLASSROOM_WEBHOOK_SECRET: "a-webhook-secret",
};

describe("what an earlier release left", () => {
  test("an index whose SQL has changed is created again, and used", async () => {
    await database.dropDamaged("rows");
    const sqlite = new DatabaseSync(join(folder, databaseFileName));
    sqlite.exec(`DROP INDEX "i:rows:due_1"; CREATE INDEX "i:rows:due_1" ON "c:rows" (id)`);
    sqlite.close();
    await database.close();
    await open();
    const again = new DatabaseSync(join(folder, databaseFileName), { readOnly: true });
    const sql = again.prepare("SELECT sql FROM sqlite_schema WHERE name = 'i:rows:due_1'").get()?.sql;
    again.close();
    expect(sql).toContain("json_type");
  });

  test.each(["embedded", "a MongoDB"])(
    "is named with its command, and only that is dropped: %s",
    async (engine) => {
      const server = engine === "embedded" ? null : await startMongoServer();
      const other = await folderForTest();
      const url = server === null ? `file:${other}` : `mongodb://127.0.0.1:${server.port}/left`;
      const opened = await openDatabase({ url, logger: silent });
      const found = async () => (await examineDatabase(opened)).filter(({ todo }) => /drop/.test(todo ?? ""));
      const drop = (what: "index" | "collection", ...words: string[]) =>
        dropLeftover(what)(toolsOf(opened), ...words);
      try {
        await openStores(opened.connection);
        expect(await found()).toEqual([]);
        await opened.connection.collection("people").createIndex({ "old.path": 1 }, {}, {});
        await opened.connection.collection("oldthings").createIndex({ a: 1 }, {}, {});
        expect((await found()).map(({ message, todo }) => [message, todo?.split("\n")[1]])).toEqual([
          [expect.stringMatching(/collection oldthings/), "npm run cli -- drop collection oldthings"],
          [
            expect.stringMatching(/an index of people.*: old.path_1\./),
            "npm run cli -- drop index people old.path_1",
          ],
        ]);
        for (const used of [
          () => drop("index", "people", "_id_"),
          () => drop("collection", "people"),
          () => drop("index", "oldthings", "a_1"),
        ])
          await expect(used()).rejects.toThrow(/The database has no .* that this release does not know/);
        expect(await found()).toHaveLength(2);
        await drop("index", "people", "old.path_1");
        await drop("collection", "oldthings");
        expect(await found()).toEqual([]);
      } finally {
        await opened.close();
        await server?.close();
      }
    },
  );
});

describe("about a MongoDB's address and server the doctor says", () => {
  const good: ServerFacts = { hello: { setName: "rs0" }, readPreference: "primary", retryWrites: true };

  test.each<[string, Partial<ServerFacts>, string[]]>([
    ["nothing for a replica set", {}, []],
    ["nothing for a sharded cluster", { hello: { msg: "isdbgrid" } }, []],
    ["that it is a standalone", { hello: {} }, ["note standalone"]],
    [
      "that it reads old data",
      { readPreference: "secondaryPreferred" },
      ["wrong readPreference=secondaryPreferred"],
    ],
    ["that no write is retried", { retryWrites: false }, ["note retryWrites=false"]],
  ])("%s", (_what, facts, expected) => {
    const found = judgeServer({ ...good, ...facts });
    expect(
      found.map(({ level, message }) => `${level} ${/standalone|\w+=\w+/.exec(message)?.[0] ?? ""}`),
    ).toEqual(expected);
    for (const { todo } of found) expect(todo).toMatch(/DATABASE_URL/);
  });

  test("how the driver reads an address", async () => {
    const server = await startMongoServer();
    const writes: unknown[] = [];
    const about = async (options: string) => {
      const opened = await openDatabase({
        url: `mongodb://127.0.0.1:${server.port}/hello${options}`,
        logger: silent,
      });
      const found = await examineDatabase(opened);
      const client: unknown = opened.connection.getClient();
      if (client instanceof mongo.MongoClient) writes.push(client.options.writeConcern.w);
      await opened.close();
      return found.map(({ message }) => /standalone|\w+=\w+/.exec(message)?.[0]);
    };
    expect(await about("")).toEqual(["standalone"]);
    expect(await about("?readPreference=nearest&w=1&retryWrites=false")).toEqual([
      "standalone",
      "readPreference=nearest",
      "retryWrites=false",
    ]);
    // Whatever the address says about it.
    expect(writes).toEqual(["majority", "majority"]);
    await server.close();
  });
});

test("a command on a machine whose clock is a quarter of an hour ahead uses the time of the store", async () => {
  const other = await folderForTest();
  const url = `file:${other}`;
  const opened = await openDatabase({ url, logger: silent });
  const clock = await openStoreClock(opened, systemClock);
  await openStores(opened.connection);
  const ahead = { ...systemClock, now: () => Date.now() + 15 * 60_000 };
  try {
    const ran = await runCommand(
      { ...variables, DATABASE_URL: url },
      ["invite", "--hours", "1", "--json"],
      [],
      ahead,
    );
    expect(ran).toMatchObject({ code: 0, err: "" });
    const { expiresAt } = z.object({ expiresAt: z.iso.datetime() }).parse(JSON.parse(ran.out));
    expect(Math.abs(Date.parse(expiresAt) - clock.now() - 3_600_000)).toBeLessThan(60_000);
  } finally {
    await opened.close();
  }
});

describe("a command that only reads", () => {
  const list = (path: string) =>
    runCommand({ ...variables, DATABASE_URL: `file:${path}` }, ["platform", "list"]);

  test("creates nothing in an empty folder, and says so", async () => {
    const empty = await folderForTest();
    expect(await list(empty)).toEqual({
      code: 1,
      out: "",
      err: `The database folder ${empty} has no database in it. Set DATABASE_URL to the tool's folder, or start the tool once.\n`,
    });
    expect(await readdir(empty)).toEqual([]);
  });

  test("does not create a folder", async () => {
    const missing = join(folder, "missing");
    expect((await list(missing)).err).toMatch(/missing does not exist. Set DATABASE_URL/);
    expect(await readdir(folder)).not.toContain("missing");
  });
});
