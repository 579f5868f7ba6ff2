import { chmod, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Connection, Schema } from "mongoose";
import { beforeEach, describe, expect, test } from "vitest";
import { EmbeddedClient } from "../../../src/storage/embedded/embedded-client.ts";
import { type Database, openDatabase } from "../../../src/storage/open-database.ts";
import { seededRandom } from "../../../sandbox/seeded-random.ts";
import { textsInFiles } from "../../support/tool/search-files.ts";
import { silent } from "./open-engine.ts";
import { folderForTest } from "../../support/folders.ts";
import { closedAfterTest } from "../../support/for-all-tests.ts";

type Row = { _id: string; name: string; pad: string };

let folder: string;
beforeEach(async () => {
  folder = await folderForTest();
});

async function open(): Promise<Database> {
  return closedAfterTest(await openDatabase({ url: `file:${folder}`, logger: silent }));
}
function clientOf(connection: Connection): EmbeddedClient {
  const client: unknown = connection.getClient();
  if (!(client instanceof EmbeddedClient)) throw new Error("not the embedded engine");
  return client;
}

const people = Array.from({ length: 40 }, (_, n) => `erased-person-${String(n)}-${"abcdefgh"[n % 8] ?? ""}`);

/** Adds, grows, shrinks and deletes rows at random, so that SQLite moves them between pages; in 60 rounds many of them. */
async function restless(connection: Connection, rounds = 10) {
  const schema = new Schema<Row>({ _id: String, name: String, pad: String }, { versionKey: false });
  const model = connection.model<Row>("Restless", schema.index({ name: 1 }));
  await model.init();
  const random = seededRandom(7);
  const rows: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const gone: string[] = [];
    const work = Array.from({ length: 100 }, (_, n) => {
      const at = Math.floor(random() * rows.length);
      const known = rows[at];
      const kind = random();
      if (known === undefined || kind < 0.6) {
        const name = people[Math.floor(random() * people.length)] ?? "";
        const _id = `${name}/${String(round)}-${String(n)}`;
        rows.push(_id);
        return { insertOne: { document: { _id, name, pad: "p".repeat(Math.floor(random() * 600)) } } };
      }
      const pad = "q".repeat(Math.floor(random() * 900));
      if (kind >= 0.9) gone.push(...rows.splice(at, 1));
      return { updateOne: { filter: { _id: known }, update: { $set: { pad } } } };
    });
    await model.bulkWrite(work, { ordered: true });
    await model.deleteMany({ _id: { $in: gone } });
  }
  return model;
}

describe("deleted data", () => {
  test("leaves no byte in any file, while the database is open and after it was closed", async () => {
    const database = await open();
    const model = await restless(database.connection, 60);
    expect(await textsInFiles(folder, ["erased-person-3-d"])).not.toEqual([]);
    await model.deleteMany({});
    expect(await clientOf(database.connection).scrub(false)).toBe(true);
    expect(await textsInFiles(folder, people)).toEqual([]);
    await model.create({ _id: "later", name: "somebody else", pad: "" });
    expect(await model.countDocuments()).toBe(1);
    await database.close();
    expect(await textsInFiles(folder, people)).toEqual([]);
  });

  test("does not count as gone while another process still reads the earlier state", async () => {
    const database = await open();
    const model = await restless(database.connection);
    const reader = new DatabaseSync(join(folder, "spaces.sqlite"));
    reader.exec("BEGIN; SELECT count(*) FROM engine_collections;");
    reader.prepare("SELECT count(*) FROM engine_collections").get();
    await model.deleteMany({});
    expect(await clientOf(database.connection).scrub(false)).toBe(false);
    expect(await textsInFiles(folder, people.slice(0, 5))).not.toEqual([]);
    reader.exec("COMMIT");
    reader.close();
    expect(await clientOf(database.connection).scrub(false)).toBe(true);
    expect(await textsInFiles(folder, people)).toEqual([]);
  });

  test("delays writers that come in between, who are answered after it", async () => {
    const database = await open();
    const model = await restless(database.connection);
    const scrubbing = clientOf(database.connection).scrub(false);
    const ids = Array.from({ length: 50 }, (_, n) => `meanwhile-${String(n)}`);
    await Promise.all(ids.map((_id) => model.create({ _id, name: "x", pad: "" })));
    expect(await scrubbing).toBe(true);
    expect(await model.countDocuments({ name: "x" })).toBe(50);
  });

  test("by another program, which overwrote nothing, is detected and disappears when the file is rewritten", async () => {
    await (await open()).close();
    const earlier = new DatabaseSync(join(folder, "spaces.sqlite"));
    earlier.exec(`PRAGMA user_version=0; CREATE TABLE gone (text); PRAGMA secure_delete=OFF;`);
    const insert = earlier.prepare("INSERT INTO gone VALUES (?)");
    for (const name of people) insert.run(`${name} ${"x".repeat(500)}`);
    earlier.exec("DELETE FROM gone; PRAGMA wal_checkpoint(TRUNCATE)");
    earlier.close();
    expect(await textsInFiles(folder, people.slice(0, 5))).not.toEqual([]);

    const client = clientOf((await open()).connection);
    expect(client.owesScrub()).toBe(true);
    expect(await client.scrub(true)).toBe(true);
    expect(client.owesScrub()).toBe(false);
    expect(await textsInFiles(folder, people)).toEqual([]);
  });

  test("needs no rewriting in a database of this release", async () => {
    expect(clientOf((await open()).connection).owesScrub()).toBe(false);
  });
});

describe("the database's files", () => {
  const modes = async () =>
    Promise.all(
      ["spaces.sqlite", "spaces.sqlite-wal", "spaces.sqlite-shm"].map(async (name) =>
        ((await stat(join(folder, name))).mode & 0o777).toString(8),
      ),
    );

  test("are readable only for the tool's own user, even in a folder that others may enter", async () => {
    await chmod(folder, 0o755);
    const before = process.umask(0);
    try {
      await open();
    } finally {
      process.umask(before);
    }
    expect(await modes()).toEqual(["600", "600", "600"]);
  });

  test("that others could read are closed to them when they are opened", async () => {
    await (await open()).close();
    await chmod(join(folder, "spaces.sqlite"), 0o644);
    await open();
    expect(await modes()).toEqual(["600", "600", "600"]);
  });
});

describe("a folder in which there was a database", () => {
  test.each(["emptied", "deleted"])("whose file was %s causes an error at the next start", async (what) => {
    const database = await open();
    await restless(database.connection);
    await database.close();
    const file = join(folder, "spaces.sqlite");
    if (what === "emptied") await writeFile(file, "");
    else await rm(file);
    await expect(open()).rejects.toMatchObject({ code: "database-gone" });
    await expect(open()).rejects.toThrow(
      new RegExp(`${what === "emptied" ? "empty" : "missing"}.*restore a backup.*delete .*\\.made`),
    );
    // An operator who wants this deletes the mark.
    await rm(join(folder, "spaces.sqlite.made"));
    await open();
  });
});
