import { Schema } from "mongoose";
import { beforeAll, expect, test } from "vitest";
import { EmbeddedClient } from "../../../src/storage/embedded/embedded-client.ts";
import { planFilter } from "../../../src/storage/embedded/filter-plan.ts";
import { readFilter } from "../../../src/storage/embedded/read-filter.ts";
import { keyExpression } from "../../../src/storage/embedded/sort-key.ts";
import { makeIndexes, embeddedEngine, openForAllTests } from "./open-engine.ts";

/** The queries of a hot path use their index, as SQLite's own plan shows; a benchmark would notice only later. */
let client: EmbeddedClient;

const database = await openForAllTests(await embeddedEngine());
beforeAll(async () => {
  const schema = new Schema<{ _id: string; tags: string[] }>({ _id: String }, { strict: false });
  schema.index({ registrationId: 1, courseId: 1, personId: 1 }, { unique: true });
  schema.index({ state: 1, dueAt: 1 });
  schema.index({ registrationId: 1, courseId: 1, state: 1, kind: 1, dueAt: 1 });
  schema.index({ lock: 1 }, { unique: true, partialFilterExpression: { open: true } });
  schema.index({ tags: 1 });
  const model = database.connection.model("Row", schema);
  await makeIndexes(database.connection);
  await model.create({ _id: "a", tags: ["x"] });
  const found: unknown = database.connection.getClient();
  if (!(found instanceof EmbeddedClient)) throw new Error("not the embedded engine");
  client = found;
});

/** SQLite's plan for a filter and a sort, one line for each step. */
function plan(filter: object, sortPath?: string): { steps: string; exact: boolean } {
  const { catalogue, file } = client.engine;
  const facts = catalogue.find("rows");
  if (facts === undefined) throw new Error("no such collection");
  const { where, params, exact } = planFilter(readFilter(filter), facts);
  const order = sortPath === undefined ? "" : ` ORDER BY ${keyExpression(sortPath)}`;
  const sql = `EXPLAIN QUERY PLAN SELECT doc FROM ${facts.table} WHERE ${where}${order} LIMIT 1`;
  const steps = file.db
    .prepare(sql)
    .all(...params)
    .map((row) => String(row.detail));
  return { steps: steps.join("\n"), exact };
}

test("a unique key needs one look into its index, and no check of the document", () => {
  const { steps, exact } = plan({ registrationId: "r", courseId: "c", personId: "p" });
  expect(steps).toMatch(
    /^SEARCH c:rows USING INDEX i:rows:registrationId_1_courseId_1_personId_1 \(<expr>=\? AND <expr>=\? AND <expr>=\?\)$/,
  );
  expect(exact).toBe(true);
});

test("the first part of a compound key is enough", () => {
  expect(plan({ registrationId: "r", courseId: { $in: ["c", "d"] } }).steps).toMatch(
    /^SEARCH .*\(<expr>=\? AND <expr>=\?\)/,
  );
});

test("the next due row is read in the order of the index, without sorting", () => {
  const { steps } = plan({ state: "waiting", dueAt: { $lte: new Date() }, leaseUntil: { $lte: 5 } }, "dueAt");
  expect(steps).toMatch(
    /^SEARCH c:rows USING INDEX i:rows:state_1_dueAt_1 \(<expr>=\? AND <expr>>\? AND <expr><\?\)$/,
  );
});

test("a range with two ends is read from one to the other, not to the end of all numbers", () => {
  const facts = client.engine.catalogue.find("rows");
  if (facts === undefined) throw new Error("no collection rows");
  const key = keyExpression("dueAt");
  for (const [ends, signs] of [
    [{ $gte: 1, $lt: 5 }, [">=", "<"]],
    [{ $lte: 5, $gt: 1 }, [">", "<="]],
    [{ $gte: "a", $lt: "b" }, [">=", "<"]],
  ] as const) {
    const { where, params } = planFilter(readFilter({ state: "waiting", dueAt: ends }), facts);
    expect(where.endsWith(`${key}${signs[0]}? AND ${key}${signs[1]}?`)).toBe(true);
    expect(params.slice(1)).toEqual(Object.values(ends).toSorted());
  }
  // Ends of two types have nothing between them, and a single end is limited by its type.
  expect(planFilter(readFilter({ dueAt: { $gte: 1, $lt: "b" } }), facts).params).toHaveLength(2);
  expect(planFilter(readFilter({ dueAt: { $gte: 1 } }), facts).where).toBe(`${key}>=? AND ${key}<''`);
});

test("an id is found by its own index", () => {
  expect(plan({ _id: "a", state: "waiting" }).steps).toMatch(/^SEARCH .*\(id=\?\)$/);
});

test("a partial index is used when the filter implies its condition", () => {
  expect(plan({ lock: "x", open: true }).steps).toMatch(/^SEARCH c:rows USING INDEX i:rows:lock_1/);
  expect(plan({ lock: "x" }).steps).toMatch(/^SCAN/);
});

test("an index over lists finds single values and lists", () => {
  const { steps, exact } = plan({ tags: "x" });
  expect(steps).toMatch(/SEARCH c:rows USING INDEX i:rows:tags_1/);
  expect(exact).toBe(false);
});

test("documents selected by id are found by id, whatever other conditions there are", () => {
  for (const picked of ["a", { $in: ["a", "b"] }]) {
    const { steps, exact } = plan({ _id: picked, state: "waiting", dueAt: { $lte: 5 } });
    expect(steps).toContain("USING INDEX sqlite_autoindex_c:rows_1 (id=?)");
    expect(steps).not.toContain("state_1_dueAt_1");
    expect(exact).toBe(true);
  }
});

test("of two matching indexes the one with more of the query's fields is used", () => {
  const due = { state: "waiting", dueAt: { $lte: 5 } };
  const ofCourse = plan({ registrationId: "r", courseId: "c", kind: "k", ...due }, "dueAt");
  expect(ofCourse.steps).toContain("registrationId_1_courseId_1_state_1_kind_1_dueAt_1");
  expect(ofCourse.steps).not.toContain("TEMP B-TREE");
  expect(plan(due, "dueAt").steps).toContain("USING INDEX i:rows:state_1_dueAt_1");
});

type Row = { [field: string]: unknown; _id: string };

/** Plans are cached by the shape of a filter; each of these tests asks again after something that a plan depends on has changed. */
test("a plan is created again after a new list, index or kind of value", async () => {
  const engine = await embeddedEngine();
  const database = await engine.open();
  try {
    const schema = new Schema<Row>({ _id: String }, { strict: false, versionKey: false, minimize: false });
    schema.index({ a: 1 }).index({ d: 1 }, { unique: true, partialFilterExpression: { d: { $gte: 3 } } });
    database.connection.model<Row>("Kept", schema);
    await makeIndexes(database.connection);
    const kept = database.connection.collection<Row>("kepts");
    const ids = async (filter: object, options: object = {}) =>
      (await kept.find(filter, options).toArray()).map(({ _id }) => _id);

    await kept.insertOne({ _id: "one", a: 1, d: 2, e: "x" });
    expect(await ids({ a: 1 })).toEqual(["one"]);
    expect((await kept.findOne({ a: { $in: [1] } }))?._id).toBe("one");
    await kept.insertOne({ _id: "list", a: [2, 1], d: 5, e: null });
    expect(await ids({ a: 1 }), "the first list at an indexed path").toEqual(["one", "list"]);
    expect(await ids({ a: { $in: [2] } })).toEqual(["list"]);
    expect(await ids({ a: 1 }, { limit: 1 })).toEqual(["one"]);
    await expect(ids({ a: 1 }, { sort: { a: 1 } })).rejects.toThrow(/arrays/);

    expect(await ids({ d: 2 }), "outside of a partial index").toEqual(["one"]);
    expect(await ids({ d: 5 }), "inside of it").toEqual(["list"]);

    expect(await ids({ d: { $gte: 2 } }), "a range outside of it").toEqual(["one", "list"]);
    expect(await ids({ d: { $gte: 2, $ne: 5 } }), "the same that SQLite decides in part").toEqual(["one"]);
    expect(await ids({ d: { $gte: 3 } }), "a range inside of it").toEqual(["list"]);
    expect(await ids({ d: { $gt: 1, $ne: 5 } }), "a range that SQLite decides in part").toEqual(["one"]);
    expect(await ids({ d: { $gt: 1 } }), "the same that it decides alone").toEqual(["one", "list"]);
    expect(await ids({ d: { $gt: 1, $ne: 2 } })).toEqual(["list"]);
    expect(await ids({ d: { $gt: "1" } }), "a range of another kind of value").toEqual([]);
    expect(await ids({ d: { $in: [2, 5] } })).toEqual(["one", "list"]);
    expect(await ids({ d: { $in: [5, 7] } }), "other values of a list").toEqual(["list"]);
    expect(await ids({ d: { $in: [2, null] } }), "a list of mixed values").toEqual(["one"]);
    expect(await ids({ d: { $in: [] } })).toEqual([]);

    expect(await ids({ e: "x" })).toEqual(["one"]);
    expect(await ids({ e: null }), "the same path with another kind of value").toEqual(["list"]);
    await kept.createIndex({ e: 1 }, { name: "later" }, {});
    expect(await ids({ e: null }, { sort: { e: -1 } }), "with an index that was made later").toEqual([
      "list",
    ]);
    expect(await ids({ e: "x", a: 1 })).toEqual(["one"]);
  } finally {
    await database.close();
    await engine.discard();
  }
});
