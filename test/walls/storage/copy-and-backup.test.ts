import { mkdtemp, readdir, readFile, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, test } from "vitest";
import { createLogger } from "../../../src/kernel/logger.ts";
import {
  type CopiedCollection,
  copyDatabase,
  createDocumentDigest,
  hasRecords,
} from "../../../src/storage/copy-database.ts";
import { backUp, restore } from "../../../src/storage/embedded/back-up.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { openStores } from "../../../src/open-stores.ts";
import { prepareSchema } from "../../../src/storage/prepare-schema.ts";
import { storedCollection } from "../../../src/storage/records.ts";
import { folderForTest } from "../../support/folders.ts";
import { closedAfterTest } from "../../support/for-all-tests.ts";

const mongo = process.env.MONGODB_URL;
let root: string;

beforeEach(async () => {
  root = await folderForTest();
});

async function open(url: string) {
  return closedAfterTest(await openDatabase({ url, logger: createLogger("silent") }));
}

/** A database after a class was taught. */
async function taught() {
  const folder = await mkdtemp(join(root, "taught-"));
  const database = await open(`file:${folder}`);
  const stores = await openStores(database.connection);
  const { connection } = database;
  const inCourse = { registrationId: "reg_1", courseId: "crs_1" };
  const numbered = (count: number, prefix: string, more: object) =>
    Array.from({ length: count }, (_none, n) => ({ _id: `${prefix}_${n}`, ...inCourse, ...more, number: n }));
  const members = numbered(30, "mem", { role: "learner" });
  const registration = { _id: "reg_1", family: "moodle", active: true };
  await storedCollection(connection, "registrations").insertOne(registration);
  await storedCollection(connection, "members").insertMany([
    ...members.map(({ _id, ...member }) => ({ _id, personId: _id, ...member })),
    { _id: "mem_teacher", personId: "per_teacher", ...inCourse, role: "instructor" },
  ]);
  await storedCollection(connection, "deliveries").insertMany(numbered(1, "dlv", { sub: "1" }));
  const events = numbered(80, "evt", { title: "Biology – Übung 1" });
  await storedCollection(connection, "classroomevents").insertMany(
    events.map(({ _id, ...event }) => ({ _id, eventId: _id, environment: "production", ...event })),
  );
  return { folder, database, stores };
}

/** The same beside a new database. */
async function taughtAndNew() {
  const { database } = await taught();
  const to = await open(`file:${join(root, "new")}`);
  await openStores(to.connection);
  return { database, to };
}

/** The folder of a closed database, and the file of its backup. */
async function backedUp() {
  const { folder, database } = await taught();
  const file = join(root, "backup.sqlite");
  await backUp(folder, file, 0);
  await database.close();
  return { folder, file };
}

/** Keeps the name in the first page and overwrites the rest, as after a disk error. */
async function damage(place: string): Promise<void> {
  const bytes = await readFile(place);
  await writeFile(place, bytes.fill(0x5a, 100));
}

function countOf(copied: readonly CopiedCollection[], name: string): number | undefined {
  return copied.find((one) => one.name === name)?.documents;
}

describe("an institution that outgrows one machine", () => {
  const targets: [string, () => string][] = [["another folder", () => `file:${join(root, "new")}`]];
  if (mongo !== undefined)
    targets.push(["a MongoDB", () => mongo.replace(/\/[^/?]*(\?|$)/, `/copy_${Date.now()}$1`)]);
  else console.warn("MONGODB_URL is not set: the copy to a MongoDB is not tried.");

  test.each(targets)("copies everything to %s and finds it equal", async (_name, target) => {
    const { database } = await taught();
    const to = await open(target());
    await openStores(to.connection);
    const copied = await copyDatabase({ from: database.connection, to: to.connection }, { now: Date.now() });
    expect(countOf(copied, "members")).toBe(31);
    expect(countOf(copied, "deliveries")).toBe(1);
    const registration = await storedCollection(to.connection, "registrations").findOne({});
    expect(registration).toMatchObject({ family: "moodle", active: true });
  });

  test("copies half a surrogate pair, which no other database can hold", async () => {
    const { folder, database } = await taught();
    const raw = new DatabaseSync(join(folder, "spaces.sqlite"));
    const half = JSON.stringify("Session \ud83d").slice(1, -1);
    const { changes } = raw
      .prepare(
        `UPDATE "c:members" SET doc = replace(doc, '"role":"learner"', '"role":"learner","note":"${half}"')`,
      )
      .run();
    expect(Number(changes)).toBeGreaterThan(0);
    raw.close();
    const to = await open(`file:${join(root, "new")}`);
    await openStores(to.connection);
    await copyDatabase({ from: database.connection, to: to.connection }, { now: Date.now() });
    const copied = await storedCollection(to.connection, "members").findOne({ role: "learner" });
    expect(copied).toMatchObject({ note: "Session \ufffd" });
  });

  test("gets an error if somebody wrote during the copy, and no tool starts on an incomplete copy", async () => {
    const { database, to } = await taughtAndNew();
    const copying = copyDatabase(
      { from: database.connection, to: to.connection },
      {
        now: Date.now(),
        onCollection: (name) => {
          if (name === "members")
            void storedCollection(database.connection, "members").deleteMany({ role: "instructor" });
        },
      },
    );
    await expect(copying).rejects.toMatchObject({ code: "copy-source-changed" });
    await expect(prepareSchema(to.connection)).rejects.toMatchObject({ code: "database-incomplete" });
    const again = await copyDatabase({ from: database.connection, to: to.connection }, { now: Date.now() });
    expect(countOf(again, "members")).toBe(30);
    await prepareSchema(to.connection);
  });

  test("gets an error if the copy differs", async () => {
    const { database, to } = await taughtAndNew();
    let spoiled = false;
    const copying = copyDatabase(
      { from: database.connection, to: to.connection },
      {
        now: Date.now(),
        onCollection: (name) => {
          if (name !== "deliveries") return;
          spoiled = true;
          void storedCollection(to.connection, "deliveries").updateMany(
            {},
            { $set: { sub: "somebody else" } },
          );
        },
      },
    );
    await expect(copying).rejects.toMatchObject({ code: "copy-differs" });
    expect(spoiled).toBe(true);
  });

  test("a used database has records, an empty one has not", async () => {
    const { database, to } = await taughtAndNew();
    expect(await hasRecords(to.connection)).toBe(false);
    expect(await hasRecords(database.connection)).toBe(true);
  });
});

describe("digests of documents", () => {
  const digestOf = (...documents: Record<string, unknown>[]) => {
    const digest = createDocumentDigest();
    for (const document of documents) digest.add(document);
    return digest.value();
  };
  test("do not depend on the order of documents or fields", () => {
    expect(digestOf({ a: 1, b: { c: 2, d: 3 } }, { e: 4 })).toBe(
      digestOf({ e: 4 }, { b: { d: 3, c: 2 }, a: 1 }),
    );
  });
  test.each([
    ["a changed value", { a: 1 }, { a: 2 }],
    ["a text instead of a number", { a: 1 }, { a: "1" }],
    ["a date instead of its text", { a: new Date(0) }, { a: new Date(0).toISOString() }],
    ["a null instead of nothing", { a: null }, {}],
    ["another order in a list", { a: [1, 2] }, { a: [2, 1] }],
  ])("see %s", (_what, one, other) => {
    expect(digestOf(one)).not.toBe(digestOf(other));
  });
  test("see a document that exists twice", () => {
    expect(digestOf({ a: 1 }, { a: 1 })).not.toBe(digestOf({ a: 1 }));
  });
});

describe("an operator who backs up", () => {
  test("gets everything in one file while the tool runs, and can restore it", async () => {
    const { folder, database } = await taught();
    const file = join(root, "backup.sqlite");
    const done = await backUp(folder, file, 0);
    expect(done.documents).toBeGreaterThan(100);
    expect(done.digest).toMatch(/^[0-9a-f]{64}$/);
    await storedCollection(database.connection, "members").deleteMany({});
    await database.close();
    const before = (await stat(join(folder, "spaces.sqlite"))).ino;
    const restored = restore(file, folder, { replace: true, mark: "now", now: 0 });
    expect(restored.documents).toBe(done.documents);
    const again = await open(`file:${folder}`);
    expect(await storedCollection(again.connection, "members").countDocuments({})).toBe(31);
    // The earlier file itself, not a copy, of which a power cut could leave half.
    expect((await stat(join(folder, "spaces.sqlite.before-now"))).ino).toBe(before);
  });

  test("cannot replace a database that is in use with a backup", async () => {
    const { folder } = await taught();
    const file = join(root, "backup.sqlite");
    await backUp(folder, file, 0);
    expect(() => restore(file, folder, { replace: true, mark: "now", now: 0 })).toThrow(/Stop every process/);
    expect((await readdir(folder)).filter((name) => name.includes("before"))).toEqual([]);
  });

  test.each([
    ["is not a database", (place: string) => writeFile(place, "Somebody's shopping list. ".repeat(500))],
    ["is damaged", damage],
  ])("restores it when the current one %s, which is kept", async (_how, spoil) => {
    const { folder, file } = await backedUp();
    const place = join(folder, "spaces.sqlite");
    await spoil(place);
    await writeFile(`${place}-wal`, "left over");
    const spoiled = await readFile(place);
    const { aside } = restore(file, folder, { replace: true, mark: "now", now: 0 });
    expect(await readFile(aside ?? "")).toEqual(spoiled);
    expect(await readFile(`${aside ?? ""}-wal`, "utf8")).toBe("left over");
    const again = await open(`file:${folder}`);
    expect(await storedCollection(again.connection, "members").countDocuments({})).toBe(31);
  });

  test("must confirm that the current database may be replaced", async () => {
    const { folder, file } = await backedUp();
    expect(() => restore(file, folder, { replace: false, mark: "now", now: 0 })).toThrow(/--replace/);
  });

  test("is told that a folder cannot be created", async () => {
    const { file } = await backedUp();
    expect(() => restore(file, join(file, "elsewhere"), { replace: false, mark: "now", now: 0 })).toThrow(
      /database folder .* can't be written/,
    );
  });

  test("is told that a backup is damaged, and keeps the current database", async () => {
    const { folder, file } = await backedUp();
    await truncate(file, 20_000);
    expect(() => restore(file, folder, { replace: true, mark: "now", now: 0 })).toThrow(
      /isn't a complete database/,
    );
    const again = await open(`file:${folder}`);
    expect(await storedCollection(again.connection, "members").countDocuments({})).toBe(31);
  });

  test("cannot overwrite an earlier backup, or back up a missing database", async () => {
    const { folder } = await taught();
    const file = join(root, "backup.sqlite");
    await writeFile(file, "somebody else's");
    await expect(backUp(folder, file, 0)).rejects.toMatchObject({ code: "backup-exists" });
    const link = join(root, "link.sqlite");
    await symlink(join(root, "not mounted", "b.sqlite"), link);
    await expect(backUp(folder, link, 0)).rejects.toMatchObject({ code: "backup-failed" });
    expect(await readdir(root), "what was not made here stays").toContain("link.sqlite");
    await expect(backUp(join(root, "nothing"), join(root, "b.sqlite"), 0)).rejects.toMatchObject({
      code: "backup-no-database",
    });
  });
});
