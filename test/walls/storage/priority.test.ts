import { AsyncResource } from "node:async_hooks";
import { Schema } from "mongoose";
import { beforeEach, expect, test, vi } from "vitest";
import { inRequest, notePerson } from "../../../src/kernel/request-scope.ts";
import { letOthersRun } from "../../../src/kernel/async.ts";
import { embeddedEngine, openForAllTests } from "./open-engine.ts";

/** The embedded engine works in the process that answers people: work that nobody waits for must leave them room. */
const database = await openForAllTests(await embeddedEngine());

/** A clock that a slow machine does not move: each look at it moves it by `stepMs`. */
const time = { now: 0, stepMs: 0 };
beforeEach(() => {
  Object.assign(time, { now: time.now + 60_000, stepMs: 0.05 });
  vi.spyOn(performance, "now").mockImplementation(() => (time.now += time.stepMs));
});

type Row = { _id: string; seen?: number };

function rows(name: string) {
  return database.connection.model<Row>(name, new Schema<Row>({ _id: String, seen: Number }));
}

/** Counts turns of the event loop until stopped. */
function countTurns() {
  let turns = 0;
  let stopped = false;
  const go = async () => {
    for (; !stopped; turns += 1) await letOthersRun();
  };
  void go();
  return () => {
    stopped = true;
    return turns;
  };
}

test("an incoming webhook is stored before the writes of two thousand that are being processed", async () => {
  const collection = rows("Ahead");
  const order: string[] = [];
  const processed = Array.from({ length: 2_000 }, (_, index) =>
    collection.insertOne({ _id: `p${index}` }).then(() => order.push("processed")),
  );
  await inRequest("request", () => collection.insertOne({ _id: "arrived" })).then(() =>
    order.push("arrived"),
  );
  await Promise.all(processed);
  expect(order.indexOf("arrived")).toBeLessThan(1_000);
  expect(order).toHaveLength(2_001);
});

test("endless writes of requests still let background work write", async () => {
  const collection = rows("Both");
  const background = collection.insertOne({ _id: "background" });
  const written = { background: false };
  void background.then(() => {
    written.background = true;
  });
  let asked = 0;
  for (; !written.background && asked < 1_000; asked += 1)
    await inRequest("request", () => collection.insertOne({ _id: `r${asked}` }));
  expect(asked).toBeLessThan(10);
});

/** A request whose answer a person waits for. @returns the function that answers it */
const personComes = () =>
  inRequest("person", () => ({ inIt: AsyncResource.bind(run), answered: notePerson() }));
const run = <T>(work: () => T): T => work();

test("while a person waits for a page, webhooks and background work are written after the page's writes", async () => {
  time.stepMs = 0;
  const collection = rows("Held");
  const { inIt, answered } = personComes();
  const order: string[] = [];
  const others = [
    collection.insertOne({ _id: "background" }).then(() => order.push("background")),
    inRequest("webhook", () => collection.insertOne({ _id: "webhook" })).then(() => order.push("webhook")),
    collection.findOne({ _id: "none" }).then(() => order.push("read")),
  ];
  for (let n = 0; n < 5; n += 1) {
    await inIt(() => collection.insertOne({ _id: `page${n}` }));
    order.push("page");
  }
  answered();
  await Promise.all(others);
  expect(order.slice(0, 5)).toEqual(["page", "page", "page", "page", "page"]);
  expect(order.slice(5).toSorted()).toEqual(["background", "read", "webhook"]);
});

test("webhooks and background work continue even if somebody always waits for a page", async () => {
  const collection = rows("Share");
  const state = { written: 0 };
  const count = () => {
    state.written += 1;
  };
  void collection.insertOne({ _id: "background" }).then(count);
  void inRequest("webhook", () => collection.insertOne({ _id: "webhook" })).then(count);
  let visits = 0;
  let before = personComes();
  for (; state.written < 2 && visits < 10_000; visits += 1) {
    const next = personComes();
    await before.inIt(() => collection.insertOne({ _id: `v${visits}` }));
    before.answered();
    before = next;
  }
  before.answered();
  expect(state.written).toBe(2);
});

test("a page that takes long, or never ends, delays nobody", async () => {
  const collection = rows("Stream");
  personComes();
  time.now += 1_000;
  await collection.insertOne({ _id: "background" });
  expect(await collection.countDocuments({ _id: "background" })).toBe(1);
});

test("work that reads ten thousand times in a row lets the event loop turn in between", async () => {
  const collection = rows("Read");
  await collection.insertOne({ _id: "one" });
  const turns = countTurns();
  for (let read = 0; read < 10_000; read += 1) await collection.findOne({ _id: "one" });
  expect(turns()).toBeGreaterThan(20);
});

test("changing a thousand rows lets others write in between", async () => {
  const collection = rows("Many");
  await collection.insertMany(Array.from({ length: 1_000 }, (_, index) => ({ _id: `m${index}` })));
  const order: string[] = [];
  const all = collection.updateMany({}, { $set: { seen: 1 } }).then((result) => {
    order.push("all");
    return result;
  });
  await letOthersRun();
  await collection.insertOne({ _id: "between" }).then(() => order.push("between"));
  const result = await all;
  expect(order).toEqual(["between", "all"]);
  expect(result).toMatchObject({ matchedCount: 1_000, modifiedCount: 1_000 });
  expect(await collection.countDocuments({ seen: 1 })).toBe(1_000);
});
