import { beforeEach, expect, test } from "vitest";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import {
  markCopying,
  type Migration,
  prepareSchema,
  schemaStateOf,
} from "../../../src/storage/prepare-schema.ts";
import { storedCollection } from "../../../src/storage/records.ts";
import { folderForTest } from "../../support/folders.ts";
import { closedAfterTest } from "../../support/for-all-tests.ts";

let folder: string;

beforeEach(async () => {
  folder = await folderForTest();
});

/** Opens it as another process would. */
async function open() {
  const database = closedAfterTest(
    await openDatabase({ url: `file:${folder}`, logger: createLogger("silent") }),
  );
  return database.connection;
}

/** Gives every registration a greeting, and may stop like a killed process. */
function greeting(log: string[], breakOff = false): Migration {
  return {
    to: 2,
    what: "registrations are greeted",
    run: async (connection, renew) => {
      const registrations = storedCollection(connection, "registrations");
      for (const { _id } of await registrations.find({ greeting: null }).toArray()) {
        if (breakOff && log.length === 1) throw new Error("killed");
        await registrations.updateOne({ _id }, { $set: { greeting: "hello" } });
        log.push(_id);
        await renew();
      }
    },
  };
}

/** A database of version 1. */
async function withRegistrations(...ids: string[]) {
  const connection = await open();
  await prepareSchema(connection, { migrations: [] });
  await storedCollection(connection, "registrations").insertMany(ids.map((_id) => ({ _id })));
  return connection;
}

test("a new database has the newest version, and no migration runs on it", async () => {
  const log: string[] = [];
  const connection = await open();
  await prepareSchema(connection, { migrations: [greeting(log)] });
  expect(await schemaStateOf(connection)).toEqual({ version: 2, state: "ready" });
  expect(log).toEqual([]);
});

test("a database of an earlier version is migrated once", async () => {
  const log: string[] = [];
  const connection = await withRegistrations("reg_1", "reg_2");
  await prepareSchema(connection, { migrations: [greeting(log)] });
  await prepareSchema(connection, { migrations: [greeting(log)] });
  expect(log).toEqual(["reg_1", "reg_2"]);
  expect(await schemaStateOf(connection)).toEqual({ version: 2, state: "ready" });
});

test("one of three processes that start together migrates, and all continue when it is done", async () => {
  const log: string[] = [];
  await withRegistrations("reg_1", "reg_2", "reg_3");
  const connections = [await open(), await open(), await open()];
  await Promise.all(
    connections.map(async (connection) => {
      await prepareSchema(connection, { migrations: [greeting(log)] });
      expect(await schemaStateOf(connection)).toEqual({ version: 2, state: "ready" });
    }),
  );
  expect(log.toSorted()).toEqual(["reg_1", "reg_2", "reg_3"]);
});

test("a migration that was killed midway is finished by the next process once the claim has expired", async () => {
  const log: string[] = [];
  const connection = await withRegistrations("reg_1", "reg_2", "reg_3");
  await expect(prepareSchema(connection, { migrations: [greeting(log, true)] })).rejects.toThrow("killed");
  expect(await schemaStateOf(connection)).toEqual({ version: 1, state: "ready" });
  const later = { ...systemClock, now: () => Date.now() + 60_000 };
  await prepareSchema(await open(), { migrations: [greeting(log)], clock: later });
  expect(log).toEqual(["reg_1", "reg_2", "reg_3"]);
  expect(await schemaStateOf(connection)).toEqual({ version: 2, state: "ready" });
});

test("an older release refuses a database that a newer one has used, and says what to do", async () => {
  const connection = await withRegistrations("reg_1");
  await prepareSchema(connection, { migrations: [greeting([])] });
  await expect(prepareSchema(connection, { migrations: [] })).rejects.toThrow(
    "Start that release, or restore a backup",
  );
});

test("no tool starts on an incomplete copy of a database", async () => {
  const connection = await open();
  await markCopying(connection, true, 0);
  await expect(prepareSchema(connection)).rejects.toMatchObject({ code: "database-incomplete" });
  await markCopying(connection, false, 0);
  await prepareSchema(connection);
});

test("an incomplete copy by an earlier release can be repeated, and then has this release's version", async () => {
  const connection = await withRegistrations("reg_1");
  await markCopying(connection, true, 0);
  await storedCollection(connection, "schemaversions").updateOne({ _id: "schema" }, { $set: { version: 1 } });
  const log: string[] = [];
  await prepareSchema(connection, { migrations: [greeting(log)], evenHalfCopied: true });
  expect(log, "what is there is deleted anyway").toEqual([]);
  await markCopying(connection, true, 0);
  await markCopying(connection, false, 0);
  expect(await schemaStateOf(connection)).toEqual({ version: 1, state: "ready" });
});
