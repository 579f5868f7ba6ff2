import { afterEach, beforeEach, expect, test } from "vitest";
import { recordingReadings } from "../../../src/modules/recordings/recording-readings.ts";
import { openStores, type Stores } from "../../../src/open-stores.ts";
import { moveFormerQueue } from "../../../src/storage/former-queues.ts";
import { recordingReadingQueue } from "../../../src/storage/former-recording-readings.ts";
import { rosterQueue } from "../../../src/storage/former-rosters.ts";
import type { Database } from "../../../src/storage/open-database.ts";
import { storedCollection } from "../../../src/storage/stored-collection.ts";
import { embeddedEngine, type TestEngine } from "./open-engine.ts";

let engine: TestEngine;
let database: Database;
let stores: Stores;
beforeEach(async () => {
  engine = await embeddedEngine();
  database = await engine.open();
  stores = await openStores(database.connection);
});
afterEach(async () => {
  await database.close();
  await engine.discard();
});

/** A reading of recordings as the release before wrote it. */
const written = (spaceId: string, dueAt: number, more: object = {}) => ({
  ...{ _id: `production:${spaceId}`, environment: "production", spaceId, dueAt, urgency: "news" },
  ...{ attempts: 0, readAt: null, offered: null, unplaced: 0, problem: null, problemCode: null, wants: 1 },
  ...{ unfinished: null, leaseHolder: null, leaseUntil: 0, ...more },
});
const former = () => storedCollection(database.connection, "recordingreadings");
const taskOf = (spaceId: string) =>
  stores.tasks.find(recordingReadings, { environment: "production", spaceId });
beforeEach(() => {
  stores.tasks.register(recordingReadings);
});
const move = () => moveFormerQueue(database.connection, recordingReadingQueue);

test("a former queue is moved with what came of earlier runs, and twice is as once", async () => {
  const failed = { attempts: 2, problem: "No answer.", problemCode: "classroom-unreachable", unplaced: 3 };
  await former().insertOne(written("a", 50, { ...failed, urgency: "person", offered: true, readAt: 7 }));
  expect(await move()).toBe(1);
  expect(await move()).toBe(0);
  expect(await taskOf("a")).toMatchObject({
    ...{ dueAt: 50, priority: "person", attempts: 2, scope: "production", wishes: 1 },
    problem: { code: "classroom-unreachable", text: "No answer." },
    facts: { readAt: 7, offered: true, unplaced: 3, unfinished: null },
  });
});

test("killed between the two writes it is there twice, and the next run moves it again without losing anything", async () => {
  await former().insertOne(written("a", 50));
  await move();
  await former().insertOne(written("a", 50));
  await move();
  expect(await former().countDocuments({})).toBe(0);
  expect((await taskOf("a"))?.dueAt).toBe(50);
});

test("what a process of the release before writes later is taken over, also for a task that is done", async () => {
  await former().insertOne(written("a", Number.MAX_SAFE_INTEGER, { readAt: 7 }));
  await move();
  expect((await taskOf("a"))?.dueAt).toBeNull();
  await former().insertOne(written("a", 90));
  await former().insertOne(written("b", 80));
  expect(await stores.formerQueues.move()).toBe(2);
  expect(await taskOf("a")).toMatchObject({ dueAt: 90, facts: { readAt: 7 } });
  expect((await taskOf("b"))?.dueAt).toBe(80);
});

test("what such a process has in hand waits until its claim runs out", async () => {
  await former().insertOne(written("a", 50, { leaseHolder: "hold_1", leaseUntil: 1_000, attempts: 1 }));
  await move();
  await stores.dueHeads.repair(["production"], 60);
  expect(await stores.tasks.claim(recordingReadings, "me", 999, 2_000)).toBeNull();
  await stores.dueHeads.repair(["production"], 60);
  expect(await stores.tasks.claim(recordingReadings, "me", 1_001, 2_000)).not.toBeNull();
});

test("readings of rosters are moved with how far they had come; one that was asked for again has no problem", async () => {
  const rosters = storedCollection(database.connection, "rostersyncs");
  const of = (courseId: string, more: object) => ({
    ...{ _id: `ros_${courseId}`, registrationId: "lms", courseId, dueAt: 50, urgency: "person" },
    ...{ state: "waiting", attempts: 0, listed: 3, written: 2, total: 3, startedAt: 6, finishedAt: 7 },
    ...{ doneAt: 5, problem: "It was busy.", problemCode: null, activeAt: 8 },
    ...{ leaseHolder: null, leaseUntil: 0, ...more },
  });
  await rosters.insertOne(of("asked", {}));
  await rosters.insertOne(of("failed", { state: "failed", attempts: 2, urgency: "round" }));
  expect(await moveFormerQueue(database.connection, rosterQueue)).toBe(2);
  expect(await stores.rosterSyncs.find("lms", "asked")).toMatchObject({
    ...{ state: "waiting", dueAt: 50, urgency: "person", listed: 3, written: 2, total: 3, problem: null },
    ...{ finishedAt: 7, doneAt: 5, activeAt: 8 },
  });
  expect(await stores.rosterSyncs.find("lms", "failed")).toMatchObject({
    ...{ state: "failed", dueAt: 50, urgency: "round", attempts: 2, problem: "It was busy." },
  });
});
