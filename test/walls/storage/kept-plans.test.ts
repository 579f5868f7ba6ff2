import { Schema } from "mongoose";
import { expect, test } from "vitest";
import { ensureIndexes } from "../../../src/storage/open-database.ts";
import { embeddedEngine } from "./open-engine.ts";

type Row = { [field: string]: unknown; _id: string };

/** Plans are kept by the shape of a filter; each of these asks again after what a plan is made of has changed. */
test("a plan is made again after a new list, index or kind of value", async () => {
  const engine = await embeddedEngine();
  const database = await engine.open();
  try {
    const schema = new Schema<Row>({ _id: String }, { strict: false, versionKey: false, minimize: false });
    schema.index({ a: 1 }).index({ d: 1 }, { unique: true, partialFilterExpression: { d: { $gte: 3 } } });
    database.connection.model<Row>("Kept", schema);
    await ensureIndexes(database.connection);
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
