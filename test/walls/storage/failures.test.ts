import { execFile } from "node:child_process";
import { chmod, cp, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Connection, Schema } from "mongoose";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { EmbeddedClient } from "../../../src/storage/embedded/embedded-client.ts";
import { maxIdleLogBytes } from "../../../src/storage/embedded/limits.ts";
import { databaseFileName } from "../../../src/storage/embedded/sqlite-file.ts";
import { NamedError } from "../../../src/kernel/errors.ts";
import { openDatabase, patiently } from "../../../src/storage/open-database.ts";
import { makeIndexes, silent } from "./open-engine.ts";
import { folderForTest } from "../../support/folders.ts";

type Row = { _id: string; n?: number; fill?: string; tags?: unknown };

let folder: string;
beforeEach(async () => {
  folder = await folderForTest();
});

const open = (path = folder) => openDatabase({ url: `file:${path}`, logger: silent });
const program = join(import.meta.dirname, "open-folder.child.ts");

/** Opens a folder as a user who is not root, as root may write anywhere. @returns the result, as "code: message" */
function openAsSomebodyElse(path: string): Promise<string> {
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  return new Promise((resolve) => {
    execFile(process.execPath, [program, path], nobody, (_error, stdout, stderr) => {
      resolve(`${stdout}${stderr}`);
    });
  });
}

const rowSchema = () => new Schema<Row>({ _id: String, n: Number, fill: String }, { versionKey: false });

async function openRows() {
  const database = await open();
  const model = database.connection.model<Row>("Row", rowSchema());
  await makeIndexes(database.connection);
  return { database, model };
}

/** The file of a database. */
function fileOf(connection: Connection) {
  const client: unknown = connection.getClient();
  if (!(client instanceof EmbeddedClient)) throw new Error("not the embedded engine");
  return client.engine.file;
}

/** SQLite's own connection under a database, to break it on purpose. */
function sqliteOf(connection: Connection) {
  return fileOf(connection).db;
}

describe("opening", () => {
  test("an address that is neither a folder nor a MongoDB is refused by name", async () => {
    for (const url of ["./data", "file:", "file://host/data", "postgres://x", ""]) {
      await expect(openDatabase({ url, logger: silent })).rejects.toMatchObject({
        name: "NamedError",
        code: "bad-database-url",
      });
    }
  });

  test("a folder that a later version wrote is refused, and left unchanged", async () => {
    const database = await open();
    sqliteOf(database.connection).exec("UPDATE engine_state SET format = 2");
    await database.close();
    await expect(open()).rejects.toMatchObject({ code: "database-format" });
  });

  test("a log that grew during a long read is short again afterwards", async () => {
    const database = await open();
    const rows = database.connection.collection("rows");
    const sizeOfLog = async () => (await stat(join(folder, `${databaseFileName}-wal`))).size;
    await rows.insertOne({ n: 0 });
    const reader = new DatabaseSync(join(folder, databaseFileName));
    reader.exec('BEGIN; SELECT count(*) FROM "c:rows"');
    for (let n = 1; n <= 12; n += 1) await rows.insertOne({ n, fill: "x".repeat(1_000_000) });
    expect(await sizeOfLog()).toBeGreaterThan(12_000_000);
    reader.exec("COMMIT");
    reader.close();
    for (let n = 13; n <= 15; n += 1) await rows.insertOne({ n });
    expect(await sizeOfLog()).toBeLessThanOrEqual(maxIdleLogBytes);
    await database.close();
  });

  test("a folder that cannot be created is named", async () => {
    await writeFile(join(folder, "file"), "");
    await expect(open(join(folder, "file", "data"))).rejects.toMatchObject({ code: "database-folder" });
  });

  test("a folder that cannot be written is named", async () => {
    await chmod(folder, 0o755);
    const closed = join(folder, "closed");
    await mkdir(closed);
    await chmod(closed, 0o555);
    expect(await openAsSomebodyElse(closed)).toMatch(/^database-folder: .*can't be written.*write access/);
  });

  test("a folder that can no longer be written is named even if a killed process left its log there", async () => {
    await chmod(folder, 0o755);
    const killed = join(folder, "killed");
    const database = await open(killed);
    await database.connection.collection("rows").insertOne({ n: 1 });
    // What a kill leaves: the log is not merged into the file.
    const left = join(folder, "left");
    await cp(killed, left, { recursive: true });
    await database.close();
    expect((await stat(join(left, `${databaseFileName}-wal`))).size).toBeGreaterThan(0);
    for (const name of await readdir(left)) await chmod(join(left, name), 0o444);
    await chmod(left, 0o555);
    expect(await openAsSomebodyElse(left)).toMatch(/^database-folder: .*can't be written.*write access/);
    // Only root may delete such a folder.
    await chmod(left, 0o755);
  });

  test("a file that is something else is named, and left unchanged", async () => {
    await writeFile(
      join(folder, databaseFileName),
      "this is no database, but a text of some length".repeat(100),
    );
    await expect(open()).rejects.toMatchObject({ code: "database-unreadable" });
  });

  test("a MongoDB that does not answer is named", async () => {
    await expect(
      openDatabase({ url: "mongodb://127.0.0.1:1/x?serverSelectionTimeoutMS=300", logger: silent }),
    ).rejects.toMatchObject({ code: "database-unreachable", temporary: true });
  });

  test("a MongoDB that does not answer is tried again with growing pauses if there is patience", async () => {
    const pauses: number[] = [];
    let now = 0;
    const clock = {
      now: () => now,
      sleep: (ms: number) => {
        pauses.push(ms);
        now += ms;
        return Promise.resolve();
      },
    };
    const url = "mongodb://127.0.0.1:1/x?serverSelectionTimeoutMS=20";
    await expect(openDatabase({ url, logger: silent, clock, patienceMs: 60_000 })).rejects.toMatchObject({
      code: "database-unreachable",
    });
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
    await expect(openDatabase({ url: "postgres://x", logger: silent, patienceMs: 60_000 })).rejects.toThrow();
  });

  test("work starts again when the store was away for a moment, but a defect is reported immediately", async () => {
    const waiting = {
      clock: { now: () => 0, sleep: () => Promise.resolve() },
      logger: silent,
      patienceMs: 10_000,
    };
    let tries = 0;
    const away = () => {
      tries += 1;
      return tries < 3
        ? Promise.reject(new NamedError("storage-away", "away", { temporary: true }))
        : Promise.resolve("done");
    };
    expect(await patiently(waiting, away)).toBe("done");
    tries = 0;
    const broken = () => {
      tries += 1;
      return Promise.reject(new NamedError("database-newer", "newer"));
    };
    await expect(patiently(waiting, broken)).rejects.toMatchObject({ code: "database-newer" });
    expect(tries).toBe(1);
  });

  test("closing twice is harmless, and a closed database no longer answers", async () => {
    const { database, model } = await openRows();
    await database.close();
    await database.close();
    await expect(model.create({ _id: "late" })).rejects.toThrow();
  });
});

describe("a full disk", () => {
  test("refuses what does not fit, keeps what was acknowledged, and works again when there is space", async () => {
    const { database, model } = await openRows();
    await model.create({ _id: "before", n: 1 });
    const sqlite = sqliteOf(database.connection);
    const pages = Number(sqlite.prepare("PRAGMA page_count").get()?.page_count);
    sqlite.exec(`PRAGMA max_page_count=${String(pages + 4)}`);

    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, n) =>
        model.create({ _id: `row${String(n)}`, n, fill: "x".repeat(2_000) }),
      ),
    );
    const stored = outcomes.flatMap((outcome, n) =>
      outcome.status === "fulfilled" ? [`row${String(n)}`] : [],
    );
    const failures = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(failures.length).toBeGreaterThan(0);
    for (const { reason } of failures)
      expect(reason).toMatchObject({ code: "storage-full", temporary: true });
    const ids = async () => (await model.find().lean()).map((row) => row._id).sort();
    expect(await ids()).toEqual(["before", ...stored].sort());

    sqlite.exec("PRAGMA max_page_count=1000000");
    await model.create({ _id: "after", fill: "x".repeat(5_000) });
    await model.updateOne({ _id: "before" }, { $inc: { n: 1 } });
    await database.close();

    const again = await open();
    const reread = again.connection.model<Row>("Row", rowSchema());
    const found = await reread.find().lean();
    expect(found.map((row) => row._id).sort()).toEqual(["after", "before", ...stored].sort());
    expect((await reread.findById("before").lean())?.n).toBe(2);
    await again.close();
  });
});

describe("a transaction that is lost in the middle", () => {
  test("rejects every write that shared it and runs the later ones", async () => {
    const { database, model } = await openRows();
    const sqlite = sqliteOf(database.connection);
    // What SQLite does itself on some disk errors: it undoes the whole transaction with the failing statement.
    sqlite.exec(
      `CREATE TRIGGER lose BEFORE INSERT ON "c:rows" WHEN new.id = 'bad' BEGIN SELECT RAISE(ROLLBACK, 'lost'); END`,
    );
    const outcomes = await Promise.allSettled(["one", "bad", "two"].map((_id) => model.create({ _id })));
    expect(outcomes.map((outcome) => outcome.status)).toEqual(["rejected", "rejected", "fulfilled"]);
    expect(await model.find().lean()).toEqual([{ _id: "two" }]);
    await database.close();
  });

  test("one failing write does not undo the others of its commit", async () => {
    const { database, model } = await openRows();
    const outcomes = await Promise.allSettled(["one", "one", "two"].map((_id) => model.create({ _id })));
    expect(outcomes.map((outcome) => outcome.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await model.countDocuments()).toBe(2);
    await database.close();
  });
});

describe("a folder to which another process writes", () => {
  test("lets a write wait for the lock without blocking reads or the event loop", async () => {
    const [mine, other] = [await open(), await open()];
    const model = mine.connection.model<Row>("Row", rowSchema());
    await makeIndexes(mine.connection);
    const sqlite = sqliteOf(other.connection);
    sqlite.exec("BEGIN IMMEDIATE");
    const tries = vi.spyOn(fileOf(mine.connection), "beginWrite");
    let answered = false;
    const writing = model.create({ _id: "a" }).then(() => {
      answered = true;
    });
    while (tries.mock.calls.length < 5) expect(await model.countDocuments()).toBe(0);
    expect(answered).toBe(false);
    sqlite.exec("COMMIT");
    await writing;
    expect(await model.countDocuments()).toBe(1);
    await mine.close();
    await other.close();
  });

  test("shows what another process has answered, even in the same turn of the event loop as an earlier read", async () => {
    const [mine, other] = [await open(), await open()];
    mine.connection.model("Row", new Schema({ _id: String, tags: {} }).index({ tags: 1 }));
    await makeIndexes(mine.connection);
    const ours = mine.connection.collection<Row>("rows");
    // In this turn their write runs after this read of ours, and our read below continues from its answer.
    setImmediate(() => void ours.countDocuments({ tags: "x" }));
    await other.connection.collection<Row>("rows").insertOne({ _id: "first list ever", tags: ["x"] });
    expect(await ours.countDocuments({ tags: "x" })).toBe(1);
    await mine.close();
    await other.close();
  });

  test("immediately shows an index that another process created, and the lists in it", async () => {
    const [mine, other] = [await open(), await open()];
    const model = mine.connection.model(
      "Row",
      new Schema({ _id: String, n: Number, tags: {} }).index({ tags: 1 }),
    );
    await makeIndexes(mine.connection);
    await model.create({ _id: "a", n: 1, tags: "x" });
    const theirs = other.connection.model<Row>("Row", new Schema<Row>({ _id: String, n: Number, tags: {} }));
    expect(await theirs.countDocuments({ tags: "x" })).toBe(1);
    await theirs.create({ _id: "b", n: 2, tags: ["x", "y"] });
    expect(await model.countDocuments({ tags: "x" })).toBe(2);
    await theirs.collection.createIndex({ n: 1 }, { unique: true }, {});
    await expect(model.create({ _id: "c", n: 2, tags: "z" })).rejects.toMatchObject({
      code: 11000,
      keyPattern: { n: 1 },
    });
    await mine.close();
    await other.close();
  });
});
