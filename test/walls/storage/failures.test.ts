import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Connection, Schema } from "mongoose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EmbeddedClient } from "../../../src/storage/embedded/embedded-client.ts";
import { databaseFileName } from "../../../src/storage/embedded/sqlite-file.ts";
import { ensureIndexes, openDatabase } from "../../../src/storage/open-database.ts";
import { silent } from "./open-engine.ts";

type Row = { _id: string; n?: number; fill?: string; tags?: unknown };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "spaces-failures-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const open = (path = folder) => openDatabase({ url: `file:${path}`, logger: silent });
const rowSchema = () => new Schema<Row>({ _id: String, n: Number, fill: String }, { versionKey: false });

/** SQLite's own connection under a database, to break it on purpose. */
function sqliteOf(connection: Connection) {
  const client: unknown = connection.getClient();
  if (!(client instanceof EmbeddedClient)) throw new Error("not the embedded engine");
  return client.engine.file.db;
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

  test("a folder that a later version wrote is refused, and left as it is", async () => {
    const database = await open();
    sqliteOf(database.connection).exec("UPDATE engine_state SET format = 2");
    await database.close();
    await expect(open()).rejects.toMatchObject({ code: "database-format" });
  });

  test("a folder that cannot be made is named", async () => {
    await writeFile(join(folder, "file"), "");
    await expect(open(join(folder, "file", "data"))).rejects.toMatchObject({ code: "database-folder" });
  });

  test("a folder that cannot be written is named", async () => {
    const closed = join(folder, "closed");
    await mkdir(closed);
    await chmod(closed, 0o500);
    if (process.getuid?.() === 0) {
      console.warn("*** running as root, who may write anywhere: the read-only folder was not tested ***");
      return;
    }
    await expect(open(closed)).rejects.toMatchObject({ code: "database-folder" });
  });

  test("a file that is something else is named, and left as it is", async () => {
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

  test("closing twice is harmless, and a closed database answers no more", async () => {
    const database = await open();
    const model = database.connection.model<Row>("Row", rowSchema());
    await ensureIndexes(database.connection);
    await database.close();
    await database.close();
    await expect(model.create({ _id: "late" })).rejects.toThrow();
  });
});

describe("a full disk", () => {
  test("refuses what does not fit, keeps what was acknowledged, and works again when there is room", async () => {
    const database = await open();
    const model = database.connection.model<Row>("Row", rowSchema());
    await ensureIndexes(database.connection);
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
    const database = await open();
    const model = database.connection.model<Row>("Row", rowSchema());
    await ensureIndexes(database.connection);
    const sqlite = sqliteOf(database.connection);
    // What SQLite does by itself on some disk errors: it undoes the whole transaction with the failing statement.
    sqlite.exec(
      `CREATE TRIGGER lose BEFORE INSERT ON "c:rows" WHEN new.id = 'bad' BEGIN SELECT RAISE(ROLLBACK, 'lost'); END`,
    );
    const outcomes = await Promise.allSettled(["one", "bad", "two"].map((_id) => model.create({ _id })));
    expect(outcomes.map((outcome) => outcome.status)).toEqual(["rejected", "rejected", "fulfilled"]);
    expect(await model.find().lean()).toEqual([{ _id: "two" }]);
    await database.close();
  });

  test("one failing write does not undo the others of its commit", async () => {
    const database = await open();
    const model = database.connection.model<Row>("Row", rowSchema());
    await ensureIndexes(database.connection);
    const outcomes = await Promise.allSettled(["one", "one", "two"].map((_id) => model.create({ _id })));
    expect(outcomes.map((outcome) => outcome.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await model.countDocuments()).toBe(2);
    await database.close();
  });
});

describe("a folder that another process is writing to", () => {
  test("a write waits for the lock without blocking reads or the event loop", async () => {
    const [mine, other] = [await open(), await open()];
    const model = mine.connection.model<Row>("Row", rowSchema());
    await ensureIndexes(mine.connection);
    const sqlite = sqliteOf(other.connection);
    sqlite.exec("BEGIN IMMEDIATE");
    let answered = false;
    const writing = model.create({ _id: "a" }).then(() => {
      answered = true;
    });
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await model.countDocuments()).toBe(0);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(answered).toBe(false);
    sqlite.exec("COMMIT");
    await writing;
    expect(await model.countDocuments()).toBe(1);
    await mine.close();
    await other.close();
  });

  test("an index that another process made, and the lists in it, are seen at once", async () => {
    const [mine, other] = [await open(), await open()];
    const model = mine.connection.model(
      "Row",
      new Schema({ _id: String, n: Number, tags: {} }).index({ tags: 1 }),
    );
    await ensureIndexes(mine.connection);
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
