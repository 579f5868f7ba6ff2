import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { watchStoreTime } from "../../../src/modules/operations/upkeep.ts";
import { type Database, openDatabase } from "../../../src/storage/open-database.ts";
import { collectionsByModel } from "../../../src/storage/records.ts";
import { openStores, type Stores } from "../../../src/open-stores.ts";
import { silent } from "./open-engine.ts";
import { folderForTest } from "../../support/folders.ts";

const hour = 3_600_000;
const rightTime = Date.UTC(2026, 10, 22, 12);

let database: Database;
let stores: Stores;
/** The time of the store, and the time that really passed. */
const time = { now: 0, elapsed: 0 };
const storeTime = {
  now: () => time.now,
  elapsed: () => time.elapsed,
  refresh: () => Promise.resolve(),
  lead: () => ({ ms: 0, doubtMs: 0 }),
};
const openWatch = () => watchStoreTime({ ...stores, storeTime, logger: silent });
const pass = (ms: number) => {
  time.now += ms;
  time.elapsed += ms;
};

beforeEach(async () => {
  database = await openDatabase({ url: `file:${await folderForTest()}`, logger: silent });
  stores = await openStores(database.connection);
  Object.assign(time, { now: rightTime + hour, elapsed: 1_000 });
});
afterEach(async () => {
  await database.close();
});

const rows = (model: string) => collectionsByModel(database.connection)(model);
const receipt = (_id: string, facts: object) =>
  rows("Receipt").insertOne({ _id, digest: _id, leaseUntil: 0, ...facts });

describe("after the clock was an hour ahead", () => {
  test("webhooks, scores and jobs from then are due immediately, and claims from then are free", async () => {
    const checkTimes = openWatch();
    await checkTimes();
    await receipt("told", { state: "waiting", nextTryAt: time.now });
    const lease = { leaseUntil: time.now + 10_000, leaseHolder: "a process that was killed" };
    await receipt("claimed", { state: "waiting", nextTryAt: time.now, ...lease });
    await rows("Delivery").insertOne({ _id: "score", state: "waiting", nextTryAt: time.now + 30_000 });
    await rows("Job").insertOne({ _id: "purge", dueAt: time.now + 60_000, runs: [], leaseUntil: 0 });
    const planned = { _id: "class", dueAt: rightTime + hour / 2, leaseUntil: 0 };
    await rows("ExpectedClass").insertOne(planned);
    pass(10_000);
    expect(await checkTimes()).toBe(0);

    time.now -= hour;
    expect(await checkTimes()).toBe(4);
    for (const [model, field] of [
      ["Receipt", "nextTryAt"],
      ["Delivery", "nextTryAt"],
      ["Job", "dueAt"],
    ] as const)
      expect(await rows(model).countDocuments({ [field]: { $gt: time.now } }), model).toBe(0);
    // Its holder may live; a living one has renewed it recently.
    await receipt("late", { nextTryAt: time.now + hour });
    expect(await rows("Receipt").countDocuments({ leaseHolder: { $type: "string" } })).toBe(1);
    pass(15_000);
    expect(await checkTimes()).toBe(2);
    expect(await rows("Receipt").countDocuments({ leaseUntil: { $gt: 0 } })).toBe(0);
    expect(await rows("Receipt").countDocuments({ nextTryAt: { $gt: time.now } })).toBe(0);
    // A class keeps its time.
    expect(await rows("ExpectedClass").findOne({ _id: "class" })).toMatchObject(planned);
    for (let minute = 0; minute < 5; minute += 1) {
      pass(60_000);
      expect(await checkTimes()).toBe(0);
    }
  });

  test("a process that starts only then sees the same", async () => {
    await receipt("told", { state: "waiting", nextTryAt: time.now });
    await rows("Job").insertOne({
      _id: "purge",
      dueAt: time.now + 60_000,
      runs: [{ startedAt: time.now, endedAt: time.now, outcome: "done" }],
      leaseUntil: 0,
    });
    time.now -= hour;
    expect(await openWatch()()).toBeGreaterThanOrEqual(1);
    expect(await rows("Receipt").countDocuments({ nextTryAt: { $lte: time.now } })).toBe(1);
  });

  test("what waits for a reason keeps waiting while the clock is right", async () => {
    const checkTimes = openWatch();
    await checkTimes();
    await rows("Delivery").insertOne({ _id: "score", state: "waiting", nextTryAt: time.now + hour });
    for (let minute = 0; minute < 5; minute += 1) {
      pass(60_000);
      expect(await checkTimes()).toBe(0);
    }
  });
});
