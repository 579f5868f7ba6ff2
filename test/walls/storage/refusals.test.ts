import { type Collection, mongo, Schema } from "mongoose";
import { beforeAll, describe, expect, test } from "vitest";
import { ensureIndexes } from "../../../src/storage/open-database.ts";
import { embeddedEngine, openForAllTests } from "./open-engine.ts";

/**
 * The embedded engine does less than MongoDB. Everything that it leaves out must fail by name, because on a MongoDB
 * the same call would have an effect.
 */
let rows: Collection;

const database = await openForAllTests(await embeddedEngine());
beforeAll(async () => {
  const schema = new Schema({ _id: String }, { strict: false, strictQuery: false });
  schema.index({ key: 1 }, { unique: true });
  const model = database.connection.model("Row", schema);
  await ensureIndexes(database.connection);
  rows = model.collection;
  await rows.insertOne({ n: 1, list: [1], other: [2] });
});

async function refused(call: () => unknown): Promise<void> {
  const outcome = new Promise((resolve) => {
    resolve(call());
  });
  await expect(outcome).rejects.toMatchObject({ code: "unsupported-on-embedded" });
}

/** Bypasses mongoose and its types, like JSON from a caller. */
function loosely(value: unknown): object {
  return Object.assign({}, value);
}

describe("query operators", () => {
  const filters: [string, object][] = [
    ["$where", { $where: "true" }],
    ["$expr", { $expr: { $gt: ["$n", 1] } }],
    ["$text", { $text: { $search: "x" } }],
    ["$jsonSchema", { $jsonSchema: {} }],
    ["$comment", { $comment: "x" }],
    ["$mod", { n: { $mod: [2, 0] } }],
    ["$near", { n: { $near: [0, 0] } }],
    ["$bitsAllSet", { n: { $bitsAllSet: 1 } }],
    ["$gte with null", { n: { $gte: null } }],
    ["$lt with a list", { n: { $lt: [1] } }],
    ["$type int", { n: { $type: "int" } }],
    ["the regular expression flag x", { n: { $regex: "a b", $options: "x" } }],
    ["one nested in $or", { $or: [{ n: 1 }, { n: { $mod: [2, 0] } }] }],
    ["$nor", { $nor: [{ n: 1 }] }],
    ["$all", { list: { $all: [1] } }],
    ["$elemMatch", { list: { $elemMatch: { $gt: 0 } } }],
    ["NaN", { n: Number.NaN }],
  ];
  test.each(filters)("%s is refused in every call that has a filter", async (_name, filter) => {
    await refused(() => rows.find(filter).toArray());
    await refused(() => rows.findOne(filter));
    await refused(() => rows.countDocuments(filter));
    await refused(() => rows.distinct("n", filter));
    await refused(() => rows.updateOne(filter, { $set: { x: 1 } }));
    await refused(() => rows.updateMany(filter, { $set: { x: 1 } }));
    await refused(() => rows.findOneAndUpdate(filter, { $set: { x: 1 } }));
    await refused(() => rows.findOneAndDelete(filter));
    await refused(() => rows.deleteOne(filter));
    await refused(() => rows.deleteMany(filter));
    await refused(() => rows.bulkWrite([{ updateMany: { filter, update: { $set: { x: 1 } } } }]));
  });
});

describe("updates", () => {
  const updates: [string, object][] = [
    ["$bit", { $bit: { n: { or: 1 } } }],
    ["$currentDate", { $currentDate: { at: true } }],
    ["$mul", { $mul: { n: 2 } }],
    ["$rename", { $rename: { n: "m" } }],
    ["$pop", { $pop: { list: 1 } }],
    ["$pullAll", { $pullAll: { list: [1] } }],
    ["$position", { $push: { list: { $each: [0], $position: 0 } } }],
    ["$sort of a list", { $push: { list: { $each: [0], $sort: 1 } } }],
    ["the positional $", { $set: { "list.$": 2 } }],
    ["$[]", { $set: { "list.$[]": 2 } }],
    ["Infinity", { $set: { n: Number.POSITIVE_INFINITY } }],
    ["a bigint", { $set: { n: 5n } }],
    ["a Decimal128", { $set: { n: mongo.Decimal128.fromString("1.5") } }],
    ["a regular expression as a value", { $set: { n: /x/ } }],
    ["an invalid date", { $set: { n: new Date("never") } }],
    ["a list at a unique key", { $set: { key: ["x"] } }],
  ];
  test.each(updates)("%s is refused", async (_name, update) => {
    await refused(() => rows.updateOne({ n: 1 }, loosely(update)));
    await refused(() => rows.findOneAndUpdate({ n: 1 }, loosely(update)));
    expect(await rows.findOne({ n: 1 })).toMatchObject({ list: [1] });
  });

  test("a pipeline is refused", async () => {
    await refused(() => rows.updateOne({ n: 1 }, [{ $set: { n: 2 } }]));
  });
});

describe("options and calls", () => {
  const options: [string, object][] = [
    ["a collation", { collation: { locale: "de" } }],
    ["a session", { session: {} }],
    ["explain", { explain: true }],
    ["let", { let: { x: 1 } }],
    ["an option of the future", { someNewOption: 1 }],
  ];
  test.each(options)("%s is refused", async (_name, option) => {
    await refused(() => rows.find({}, loosely(option)).toArray());
    await refused(() => rows.findOne({}, loosely(option)));
    await refused(() => rows.updateOne({}, { $set: { x: 1 } }, loosely(option)));
    await refused(() => rows.insertOne({}, loosely(option)));
    await refused(() => rows.deleteMany({}, loosely(option)));
  });

  test("positional, computed and $slice projections are refused", async () => {
    for (const projection of [{ "list.$": 1 }, { list: { $slice: 1 } }, { x: "$n" }]) {
      await refused(() => rows.find({ list: 1 }, { projection: loosely(projection) }).toArray());
    }
  });

  test("sorting by a path that holds lists is refused", async () => {
    await refused(() => rows.find({}, { sort: { other: 1 } }).toArray());
  });

  test("sessions, transactions, change streams, aggregation and second databases are refused", async () => {
    const { connection } = database;
    await refused(() => connection.startSession());
    await refused(() => connection.transaction(() => Promise.resolve()));
    await refused(() => rows.watch());
    await refused(() => rows.aggregate([{ $match: {} }]));
    await refused(() => rows.findOneAndReplace({ n: 1 }, { n: 2 }));
    await refused(() => connection.useDb("other"));
    await refused(() => connection.models.Row?.aggregate([{ $match: {} }]));
    await refused(() => rows.initializeUnorderedBulkOp());
    await refused(() => rows.rename("other"));
    await refused(() => rows.find({}).next());
    await refused(() => rows.bulkWrite([{ deleteMany: { filter: {} } }]));
  });

  test("text, hashed, wildcard and collated indexes, and lists under a unique key, are refused", async () => {
    await refused(() => rows.createIndex({ t: "text" }, {}, {}));
    await refused(() => rows.createIndex({ t: "hashed" }, {}, {}));
    await refused(() => rows.createIndex({ "$**": 1 }, {}, {}));
    await refused(() => rows.createIndex({ t: 1 }, { collation: { locale: "de" } }, {}));
    await refused(() => rows.createIndex({ other: 1 }, { unique: true }, {}));
    await refused(() => rows.createIndex({ a: 1, b: 1 }, { expireAfterSeconds: 5 }, {}));
    await refused(() => rows.createIndex({ t: 1 }, { sparse: true }, {}));
    for (const t of [{ $exists: true }, { $type: "string" }])
      await refused(() => rows.createIndex({ t: 1 }, { partialFilterExpression: { t } }, {}));
  });
});
