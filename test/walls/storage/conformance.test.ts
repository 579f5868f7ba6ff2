import { type Model, Schema } from "mongoose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../src/storage/open-database.ts";
import { embeddedEngine, mongoEngine, type TestEngine } from "./open-engine.ts";

/**
 * What the records of the tool rely on, said once and run on every engine. The expectations are MongoDB's documented
 * behaviour; where this suite and a MongoDB disagree, the suite is wrong.
 */
const mongoUrl = process.env.MONGODB_URL;
if (mongoUrl === undefined) {
  console.warn("\n*** MONGODB_URL is not set: the conformance suite ran on the embedded engine only ***\n");
}

type Row = { [field: string]: unknown; _id: string };
type Indexes = [Record<string, 1 | -1>, Record<string, unknown>?][];

const engines: [string, () => Promise<TestEngine>][] = [["embedded", embeddedEngine]];
if (mongoUrl !== undefined) engines.push(["mongodb", () => Promise.resolve(mongoEngine(mongoUrl))]);

describe.each(engines)("conformance on %s", (engineName, makeEngine) => {
  let engine: TestEngine;
  let database: Database;
  let count = 0;

  beforeAll(async () => {
    engine = await makeEngine();
    database = await engine.open();
  });
  afterAll(async () => {
    await database.close();
    await engine.discard();
  });

  /** A new collection that accepts any fields. */
  async function collection(rows: Row[] = [], indexes: Indexes = []): Promise<Model<Row>> {
    count += 1;
    const schema = new Schema<Row>({ _id: String }, loose);
    for (const [key, options] of indexes) schema.index(key, options ?? {});
    const model = database.connection.model<Row>(`Case${String(count)}`, schema);
    await model.init();
    if (rows.length > 0) await model.insertMany(rows);
    return model;
  }

  /** The ids that a filter finds, sorted. */
  async function ids(model: Model<Row>, filter: object): Promise<string> {
    const found = await model.find(filter).lean();
    return found
      .map((row) => row._id)
      .sort()
      .join(" ");
  }

  /** The document after an update, without its id. */
  async function updated(before: object, update: object, options: object = {}): Promise<unknown> {
    const model = await collection([{ _id: "a", ...before }]);
    await model.updateOne({ _id: "a" }, update, options);
    const { _id, ...fields } = (await model.findById("a").lean()) ?? { _id: "" };
    return fields;
  }

  /** The code of the error for an update of one document. */
  async function refusal(before: object, update: object): Promise<unknown> {
    const model = await collection([{ _id: "a", ...before }]);
    const outcome = await codeOf(model.updateOne({ _id: "a" }, update));
    expect(await model.findById("a").lean(), "a refused update leaves the document alone").toEqual({
      _id: "a",
      ...before,
    });
    return outcome;
  }

  describe("finding", () => {
    const mixed: Row[] = [
      { _id: "number", v: 5 },
      { _id: "text", v: "5" },
      { _id: "date", v: new Date(5) },
      { _id: "true", v: true },
      { _id: "null", v: null },
      { _id: "missing" },
      { _id: "list", v: [1, 5, "x"] },
      { _id: "object", v: { w: 5 } },
    ];
    const indexings: [string, Indexes][] = [
      ["without an index", []],
      ["with an index", [[{ v: 1 }]]],
    ];

    test.each(indexings)(
      "equality compares type and value, and looks into lists, %s",
      async (_name, indexes) => {
        const model = await collection(mixed, indexes);
        expect(await ids(model, { v: 5 })).toBe("list number");
        expect(await ids(model, { v: "5" })).toBe("text");
        expect(await ids(model, { v: new Date(5) })).toBe("date");
        expect(await ids(model, { v: true })).toBe("true");
        expect(await ids(model, { v: { w: 5 } })).toBe("object");
        expect(await ids(model, { v: [1, 5, "x"] })).toBe("list");
        expect(await ids(model, { "v.w": 5 })).toBe("object");
      },
    );

    test.each(indexings)("null finds null and missing, %s", async (_name, indexes) => {
      const model = await collection(mixed, indexes);
      expect(await ids(model, { v: null })).toBe("missing null");
      expect(await ids(model, { v: { $in: [null, "5"] } })).toBe("missing null text");
      expect(await ids(model, { v: { $ne: null } })).toBe("date list number object text true");
    });

    test.each(indexings)("a range stays within one type, %s", async (_name, indexes) => {
      const model = await collection(mixed, indexes);
      expect(await ids(model, { v: { $gt: 4 } })).toBe("list number");
      expect(await ids(model, { v: { $lte: 5 } })).toBe("list number");
      expect(await ids(model, { v: { $gt: "4" } })).toBe("list text");
      expect(await ids(model, { v: { $lt: "6" } })).toBe("text");
      expect(await ids(model, { v: { $lte: new Date(5) } })).toBe("date");
      expect(await ids(model, { v: { $gt: new Date(5) } })).toBe("");
    });

    test("dates compare as points in time, before and after 1970", async () => {
      const at = (_id: string, ms: number): Row => ({ _id, at: new Date(ms) });
      const rows = [at("old", -86_400_000), at("zero", 0), at("now", 1_790_000_000_000), at("far", 4e12)];
      const model = await collection(rows, [[{ at: 1 }]]);
      expect(await ids(model, { at: { $lt: new Date(0) } })).toBe("old");
      expect(await ids(model, { at: { $gte: new Date(0), $lt: new Date(4e12) } })).toBe("now zero");
      const sorted = await model.find().sort({ at: -1 }).lean();
      expect(sorted.map((row) => row._id)).toEqual(["far", "now", "zero", "old"]);
    });

    test("$in and $nin", async () => {
      const model = await collection(mixed);
      expect(await ids(model, { v: { $in: [5, "5"] } })).toBe("list number text");
      expect(await ids(model, { v: { $in: [] } })).toBe("");
      expect(await ids(model, { v: { $nin: [5, "5", null] } })).toBe("date object true");
      expect(await ids(model, { v: { $in: [new Date(5), true] } })).toBe("date true");
      expect(await ids(model, { v: { $in: [/^x/] } })).toBe("list");
    });

    test("$ne also finds documents without the field, and skips lists that hold the value", async () => {
      const model = await collection(mixed);
      expect(await ids(model, { v: { $ne: 5 } })).toBe("date missing null object text true");
    });

    test("$exists tells null from missing", async () => {
      const model = await collection(mixed);
      expect(await ids(model, { v: { $exists: false } })).toBe("missing");
      expect(await ids(model, { v: { $exists: true } })).toBe("date list null number object text true");
    });

    test("$and, $or and $not", async () => {
      const rows: Row[] = [1, 2, 3, 4].map((n) => ({ _id: String(n), n, even: n % 2 === 0 }));
      const model = await collection(rows, [[{ n: 1 }]]);
      expect(await ids(model, { $or: [{ n: 1 }, { n: { $gte: 4 } }] })).toBe("1 4");
      expect(await ids(model, { $and: [{ n: { $gt: 1 } }, { n: { $lt: 4 } }] })).toBe("2 3");
      expect(await ids(model, { n: { $not: { $gt: 2 } } })).toBe("1 2");
      expect(await ids(model, { $or: [{ n: 1 }, { even: true }], n: { $lt: 3 } })).toBe("1 2");
    });

    test("$regex with options, and a regular expression as a value", async () => {
      const model = await collection([
        { _id: "a", t: "Alpha" },
        { _id: "b", t: ["beta", "x"] },
        { _id: "c", t: 5 },
      ]);
      expect(await ids(model, { t: { $regex: "^al", $options: "i" } })).toBe("a");
      expect(await ids(model, { t: /ETA/i })).toBe("b");
      expect(await ids(model, { t: { $not: /^A/ } })).toBe("b c");
    });

    test("the end of a regular expression also matches before a line feed that ends the text", async () => {
      const model = await collection([
        { _id: "a", t: "line" },
        { _id: "b", t: "line\n" },
        { _id: "c", t: "line\n\n" },
        { _id: "d", t: "line$" },
        { _id: "e", t: "cost: 5$" },
      ]);
      expect(await ids(model, { t: /^line$/ })).toBe("a b");
      expect(await ids(model, { t: { $regex: "e$" } })).toBe("a b");
      expect(await ids(model, { t: /[$]$/ })).toBe("d e");
      expect(await ids(model, { t: /e\$/ })).toBe("d");
    });

    test("a list that is named by its position in another list is not searched", async () => {
      const model = await collection([
        { _id: "a", l: [[null, 5]] },
        { _id: "b", l: [5] },
        { _id: "c", l: [null] },
        { _id: "d", l: [[[5]]] },
      ]);
      expect(await ids(model, { "l.0": 5 })).toBe("b");
      expect(await ids(model, { "l.0": null })).toBe("c");
      expect(await ids(model, { "l.0": [null, 5] })).toBe("a");
      expect(await ids(model, { "l.0": { $size: 2 } })).toBe("a");
      expect(await ids(model, { "l.0.1": 5 })).toBe("a");
    });

    test("$size", async () => {
      const model = await collection([
        { _id: "a", l: [1, 2, 3] },
        { _id: "b", l: [2] },
        { _id: "c", l: 2 },
        { _id: "d", l: [] },
      ]);
      expect(await ids(model, { l: { $size: 1 } })).toBe("b");
      expect(await ids(model, { l: { $size: 0 } })).toBe("d");
    });

    test("$type looks into lists", async () => {
      const model = await collection(mixed);
      expect(await ids(model, { v: { $type: "string" } })).toBe("list text");
      expect(await ids(model, { v: { $type: "number" } })).toBe("list number");
      expect(await ids(model, { v: { $type: ["date", "bool"] } })).toBe("date true");
      expect(await ids(model, { v: { $type: "array" } })).toBe("list");
      expect(await ids(model, { v: { $type: "null" } })).toBe("null");
    });

    test("dotted paths reach through lists of objects", async () => {
      const model = await collection(
        [
          { _id: "a", s: [{ id: "x" }, { id: "y" }] },
          { _id: "b", s: [{ id: "y" }, {}] },
          { _id: "c", s: { id: "x" } },
          { _id: "d" },
        ],
        [[{ "s.id": 1 }]],
      );
      expect(await ids(model, { "s.id": "x" })).toBe("a c");
      expect(await ids(model, { "s.id": { $in: ["y"] } })).toBe("a b");
      expect(await ids(model, { "s.0.id": "x" })).toBe("a");
      expect(await ids(model, { "s.id": null })).toBe("b d");
      expect(await ids(model, { "s.id": { $exists: false } })).toBe("d");
    });

    test("$size, ranges and null apply to each list on the way, not to their combination", async () => {
      const model = await collection([
        { _id: "a", s: [{ v: [1, 2] }, { v: [9] }] },
        { _id: "b", s: [{ v: 9 }] },
        { _id: "c", s: [5, "x"] },
        { _id: "d", s: [] },
      ]);
      expect(await ids(model, { "s.v": { $size: 1 } })).toBe("a");
      expect(await ids(model, { "s.v": { $size: 0 } })).toBe("");
      expect(await ids(model, { "s.v": { $gt: 5 } })).toBe("a b");
      expect(await ids(model, { "s.v": { $not: { $gt: 5 } } })).toBe("c d");
      expect(await ids(model, { "s.v": null })).toBe("");
    });

    test("the order of fields counts when whole objects are compared", async () => {
      const model = await collection([
        { _id: "a", o: { x: 1, y: 2 } },
        { _id: "b", o: { y: 2, x: 1 } },
      ]);
      expect(await ids(model, { o: { x: 1, y: 2 } })).toBe("a");
    });
  });

  describe("sorting, paging, projecting, counting", () => {
    test("types sort in MongoDB's order, null and missing first", async () => {
      const model = await collection(
        [
          { _id: "4-text", v: "a" },
          { _id: "3-number", v: 7 },
          { _id: "5-object", v: { a: 1 } },
          { _id: "6-false", v: false },
          { _id: "7-true", v: true },
          { _id: "8-date", v: new Date(0) },
          { _id: "2-number", v: -1.5 },
          { _id: "1-null", v: null },
        ],
        [[{ v: 1 }]],
      );
      const sorted = (await model.find().sort({ v: 1 }).lean()).map((row) => row._id);
      expect(sorted).toEqual([...sorted].sort());
      const reversed = (await model.find().sort({ v: -1 }).lean()).map((row) => row._id);
      expect(reversed).toEqual([...sorted].reverse());
    });

    test("texts sort by code point, not by locale", async () => {
      const words = ["Zebra", "apple", "Äpfel", "banana", "𐍈", "￿", ""];
      const model = await collection(words.map((word, i) => ({ _id: String(i), word })));
      const sorted = (await model.find().sort({ word: 1 }).lean()).map((row) => row.word);
      expect(sorted).toEqual(["", "Zebra", "apple", "banana", "Äpfel", "￿", "𐍈"]);
    });

    test("two sort keys, skip and limit", async () => {
      const rows: Row[] = [];
      for (let n = 0; n < 30; n += 1) rows.push({ _id: `r${String(n)}`, group: n % 3, n });
      const model = await collection(rows, [[{ group: 1, n: -1 }]]);
      const page = await model
        .find({ group: { $gte: 1 } })
        .sort({ group: 1, n: -1 })
        .skip(8)
        .limit(4)
        .lean();
      expect(page.map((row) => [row.group, row.n])).toEqual([
        [1, 4],
        [1, 1],
        [2, 29],
        [2, 26],
      ]);
    });

    test("projections include or leave out fields, also inside lists", async () => {
      const model = await collection([{ _id: "a", x: 1, y: { z: 2, w: 3 }, l: [{ z: 4, w: 5 }, 6] }]);
      expect(await model.findOne({}, { x: 1 }).lean()).toEqual({ _id: "a", x: 1 });
      expect(await model.findOne({}, { _id: 0, "y.z": 1, "l.z": 1 }).lean()).toEqual({
        y: { z: 2 },
        l: [{ z: 4 }],
      });
      expect(await model.findOne({}, { y: 0, "l.w": 0 }).lean()).toEqual({
        _id: "a",
        x: 1,
        l: [{ z: 4 }, 6],
      });
      expect(await model.findOne({}, { _id: 1 }).lean()).toEqual({ _id: "a" });
    });

    test("counting, exists and distinct", async () => {
      const model = await collection([
        { _id: "a", c: "x", t: ["p", "q"] },
        { _id: "b", c: "y", t: ["q"] },
        { _id: "c", c: "x" },
      ]);
      expect(await model.countDocuments({ c: "x" })).toBe(2);
      expect(await model.countDocuments({ t: "q" })).toBe(2);
      expect(await model.exists({ c: "y" })).toEqual({ _id: "b" });
      expect((await model.distinct("c", {})).sort()).toEqual(["x", "y"]);
      expect((await model.distinct("t", { c: "x" })).sort()).toEqual(["p", "q"]);
    });
  });

  describe("values", () => {
    test("stored values come back unchanged", async () => {
      const stored = {
        text: 'Ünïcödé \u{1F600} \u0000 " \\ \n',
        number: -0.1,
        whole: 9_007_199_254_740_991,
        big: 1e300,
        date: new Date("2026-02-28T23:59:59.999Z"),
        never: null,
        flags: [true, false, null, [1, [2]], {}],
        nested: { a: { b: { at: new Date(0) } }, empty: {} },
      };
      const model = await collection([{ _id: "a", ...stored }]);
      expect(await model.findById("a").lean()).toEqual({ _id: "a", ...stored });
    });

    test("half a surrogate pair, which UTF-8 cannot hold, becomes the replacement character", async () => {
      const model = await collection([{ _id: "a", t: "half \ud83d of it", list: ["\udc00"] }]);
      expect(await model.findById("a").lean()).toMatchObject({ t: "half \ufffd of it", list: ["\ufffd"] });
      expect(await ids(model, { t: "half \ud83d of it" })).toBe("a");
    });

    test("bytes and ObjectIds keep their type", async () => {
      const schema = new Schema({ _id: String, bytes: Buffer, ref: Schema.Types.ObjectId });
      const model = database.connection.model("WithBytes", schema);
      const ref = "65f0c0ffee65f0c0ffee65f0";
      await model.create({ _id: "a", bytes: Buffer.from([0, 1, 254, 255]), ref });
      const found = await model.findOne({ ref }).orFail();
      expect(found.ref?.toHexString()).toBe(ref);
      expect(found.bytes?.toString("hex")).toBe("0001feff");
    });

    test("field names that look like operators or prototypes are data inside a stored object", async () => {
      const raw: unknown = JSON.parse(
        '{"$date":"x","$$":1,"a.b":2,"constructor":{"prototype":3},"$oid":{"$in":[4]}}',
      );
      const model = await collection([{ _id: "a", raw }]);
      expect(await model.findById("a").lean()).toEqual({ _id: "a", raw });
    });

    test("undefined in a filter or a list counts as null", async () => {
      const model = await collection([{ _id: "a", v: 1 }, { _id: "b" }]);
      expect(await ids(model, { v: undefined })).toBe("b");
    });
  });

  describe("updating", () => {
    test("$set creates the path to a field, $unset removes the field", async () => {
      expect(await updated({ a: 1 }, { $set: { "b.c.d": 2, a: null } })).toEqual({
        a: null,
        b: { c: { d: 2 } },
      });
      expect(await updated({ a: 1, b: { c: 2, d: 3 } }, { $unset: { "b.c": 1, a: 1, no: 1 } })).toEqual({
        b: { d: 3 },
      });
      expect(await updated({ l: [1, 2, 3] }, { $unset: { "l.1": 1 } })).toEqual({ l: [1, null, 3] });
    });

    test("$set by position fills a list with nulls", async () => {
      expect(await updated({ l: [1] }, { $set: { "l.3": 4 } })).toEqual({ l: [1, null, null, 4] });
      expect(await updated({ l: [{ a: 1 }] }, { $set: { "l.0.b": 2 } })).toEqual({ l: [{ a: 1, b: 2 }] });
      expect(await updated({}, { $set: { "l.0": 1 } })).toEqual({ l: { "0": 1 } });
    });

    test("$inc counts from 0 if the field is missing", async () => {
      expect(await updated({ n: 5 }, { $inc: { n: -2, m: 3, "o.p": 1 } })).toEqual({
        n: 3,
        m: 3,
        o: { p: 1 },
      });
    });

    test("$min and $max compare numbers and dates", async () => {
      const early = new Date(1000);
      const late = new Date(2000);
      expect(await updated({ n: 5, d: late }, { $min: { n: 3, d: early, m: 1 } })).toEqual({
        n: 3,
        d: early,
        m: 1,
      });
      expect(await updated({ n: 5, d: late }, { $max: { n: 3, d: early, m: 1 } })).toEqual({
        n: 5,
        d: late,
        m: 1,
      });
    });

    test("$push appends one or several values, and cuts", async () => {
      expect(await updated({ l: [1] }, { $push: { l: 2, m: 1 } })).toEqual({ l: [1, 2], m: [1] });
      expect(await updated({ l: [1] }, { $push: { l: [2, 3] } })).toEqual({ l: [1, [2, 3]] });
      expect(await updated({ l: [3, 1] }, { $push: { l: { $each: [2, 5], $slice: -3 } } })).toEqual({
        l: [1, 2, 5],
      });
      expect(await updated({ l: [1] }, { $push: { l: { $each: [], $slice: 0 } } })).toEqual({ l: [] });
    });

    test("$addToSet adds only missing values", async () => {
      expect(
        await updated({ l: [1, 1, { a: 1 }] }, { $addToSet: { l: { $each: [1, 2, 2, { a: 1 }] } } }),
      ).toEqual({ l: [1, 1, { a: 1 }, 2] });
      expect(await updated({}, { $addToSet: { l: "x" } })).toEqual({ l: ["x"] });
    });

    test("$pull removes by value, by operators and by filter", async () => {
      expect(await updated({ l: [1, 2, 1] }, { $pull: { l: 1, no: 1 } })).toEqual({ l: [2] });
      expect(await updated({ l: [1, 5, 9] }, { $pull: { l: { $gte: 5 } } })).toEqual({ l: [1] });
      expect(await updated({ l: [{ a: 1, b: 2 }, { a: 2 }] }, { $pull: { l: { a: 1 } } })).toEqual({
        l: [{ a: 2 }],
      });
      expect(await updated({ l: ["x", "y", "z"] }, { $pull: { l: { $in: ["x", "z"] } } })).toEqual({
        l: ["y"],
      });
    });

    test("$[name] selects the elements of an array filter", async () => {
      expect(
        await updated(
          { l: [{ k: 1 }, { k: 5 }] },
          { $set: { "l.$[big].hit": true } },
          { arrayFilters: [{ "big.k": { $gt: 3 } }] },
        ),
      ).toEqual({ l: [{ k: 1 }, { k: 5, hit: true }] });
    });

    test("an update that changes nothing is matched but not modified", async () => {
      const model = await collection([{ _id: "a", n: 1, l: ["x"] }]);
      const outcome = await model.updateOne(
        { _id: "a" },
        { $set: { n: 1 }, $addToSet: { l: "x" }, $unset: { no: 1 } },
      );
      expect(outcome).toMatchObject({
        acknowledged: true,
        matchedCount: 1,
        modifiedCount: 0,
        upsertedCount: 0,
      });
    });

    test("updateMany reports what it matched and what it changed", async () => {
      const model = await collection(
        [1, 2, 3, 4].map((n) => ({ _id: String(n), n })),
        [[{ n: 1 }]],
      );
      const outcome = await model.updateMany({ n: { $gte: 2 } }, { $max: { n: 3 } });
      expect(outcome).toMatchObject({ matchedCount: 3, modifiedCount: 1 });
      expect(await ids(model, { n: 3 })).toBe("2 3");
    });

    test("replacing keeps the id and drops every other field", async () => {
      const model = await collection([{ _id: "a", n: 1, m: 2 }]);
      expect(await model.replaceOne({ _id: "a" }, { k: 1 })).toMatchObject({
        matchedCount: 1,
        modifiedCount: 1,
      });
      expect(await model.findOne().lean()).toEqual({ _id: "a", k: 1 });
      expect(await codeOf(model.collection.replaceOne({ k: 1 }, { _id: "b", k: 2 }))).toBe(66);
    });

    test("deleteOne removes one, deleteMany the rest", async () => {
      const model = await collection([1, 2, 3].map((n) => ({ _id: String(n), k: "x" })));
      expect(await model.deleteOne({ k: "x" })).toEqual({ acknowledged: true, deletedCount: 1 });
      expect(await model.deleteMany({ k: "x" })).toEqual({ acknowledged: true, deletedCount: 2 });
      expect(await model.deleteOne({ k: "x" })).toEqual({ acknowledged: true, deletedCount: 0 });
    });
  });

  describe("what MongoDB refuses", () => {
    test("arithmetic on something that is not a number", async () => {
      expect(await refusal({ n: "5" }, { $inc: { n: 1 } })).toBe(14);
      expect(await refusal({ n: null }, { $inc: { n: 1 } })).toBe(14);
      const model = await collection([{ _id: "a", n: 1 }]);
      // Bypasses mongoose, which would cast the operand.
      const untyped = Object.fromEntries([["n", JSON.parse('"1"')]]);
      expect(await codeOf(model.collection.updateOne({ n: 1 }, { $inc: untyped }))).toBe(14);
    });

    test("list operators on something that is not a list", async () => {
      expect(await refusal({ l: "x" }, { $push: { l: 1 } })).toBe(2);
      expect(await refusal({ l: null }, { $push: { l: 1 } })).toBe(2);
      expect(await refusal({ l: { a: 1 } }, { $addToSet: { l: 1 } })).toBe(2);
      expect(await refusal({ l: 5 }, { $pull: { l: 5 } })).toBe(2);
    });

    test("a path through a value that has no fields", async () => {
      expect(await refusal({ a: 5 }, { $set: { "a.b": 1 } })).toBe(28);
      expect(await refusal({ a: null }, { $set: { "a.b": 1 } })).toBe(28);
      expect(await refusal({ a: [1] }, { $set: { "a.b": 1 } })).toBe(28);
      expect(await refusal({ a: { b: "x" } }, { $inc: { "a.b.c": 1 } })).toBe(28);
    });

    test("but not removal along such a path", async () => {
      expect(await refusal({ a: 5 }, { $unset: { "a.b": 1 } })).toBe("none");
    });

    test("a document of more than 16 MB, and a NUL in the name of a field", async () => {
      const model = await collection([{ _id: "a" }]);
      const raw = database.connection.collection<Row>(model.collection.collectionName);
      const large = { _id: "b", list: Array.from({ length: 1_400_000 }, () => 1) };
      await expect(raw.insertOne(large)).rejects.toThrow(/size|large|16/i);
      await expect(raw.insertOne({ _id: "c", ["n\0m"]: 1 })).rejects.toThrow(/null byte/);
      await expect(raw.updateOne({ _id: "a" }, { $set: { o: { ["n\0m"]: 1 } } })).rejects.toThrow(
        /null byte/,
      );
      expect(await ids(model, {})).toBe("a");
    });

    test("two operators on one path, or on a path and a path below it", async () => {
      expect(await refusal({ a: 1 }, { $set: { a: 2 }, $inc: { a: 1 } })).toBe(40);
      expect(await refusal({ a: { b: 1 } }, { $set: { a: {} }, $unset: { "a.b": 1 } })).toBe(40);
    });

    test("changing an id", async () => {
      const model = await collection([{ _id: "a", n: 1 }]);
      expect(await codeOf(model.collection.updateOne({ n: 1 }, { $set: { _id: "b" } }))).toBe(66);
      expect(await codeOf(model.collection.updateOne({ n: 1 }, { $set: { _id: "a", n: 2 } }))).toBe("none");
    });

    test("a missing array filter, and an unused one", async () => {
      const model = await collection([{ _id: "a", l: [1] }]);
      const raw = model.collection;
      expect(await codeOf(raw.updateOne({ l: 1 }, { $set: { "l.$[x]": 5 } }))).toBe(2);
      expect(await codeOf(raw.updateOne({ l: 1 }, { $set: { n: 5 } }, { arrayFilters: [{ x: 1 }] }))).toBe(9);
    });
  });

  describe("upserting", () => {
    test("an upsert starts from the equalities of its filter", async () => {
      const model = await collection();
      const outcome = await model.updateOne(
        { _id: "a", "k.l": "x", n: { $gt: 5 }, $and: [{ m: { $eq: 2 } }] },
        { $set: { s: 1 }, $setOnInsert: { made: true }, $inc: { c: 1 } },
        { upsert: true },
      );
      expect(outcome).toMatchObject({ matchedCount: 0, modifiedCount: 0, upsertedCount: 1, upsertedId: "a" });
      expect(await model.findOne().lean()).toEqual({ _id: "a", k: { l: "x" }, m: 2, s: 1, made: true, c: 1 });
    });

    test("a list of one value and a single branch count as equalities", async () => {
      const model = await collection();
      const seeds = async (filter: object): Promise<unknown> => {
        const { upsertedId } = await model.updateOne(filter, { $set: { s: 1 } }, { upsert: true });
        return await model.findById(upsertedId, { _id: 0, s: 0 }).lean();
      };
      expect(await seeds({ _id: "a", x: { $in: [1] } })).toEqual({ x: 1 });
      expect(await seeds({ _id: "b", x: { $in: [1, 2] } })).toEqual({});
      expect(await seeds({ _id: "d", $or: [{ x: 1 }] })).toEqual({ x: 1 });
      expect(await seeds({ _id: "e", $or: [{ x: 1 }, { y: 2 }] })).toEqual({});
      expect(
        await codeOf(
          database.connection
            .collection<Row>(model.collection.collectionName)
            .updateOne({ _id: "f", x: 1, $and: [{ x: 2 }] }, { $set: { s: 1 } }, { upsert: true }),
        ),
      ).toBe(54);
    });

    test("an upsert that finds its document ignores $setOnInsert", async () => {
      const model = await collection([{ _id: "a", n: 1 }]);
      const outcome = await model.updateOne(
        { _id: "a" },
        { $setOnInsert: { n: 9 }, $set: { m: 1 } },
        { upsert: true },
      );
      expect(outcome).toMatchObject({ matchedCount: 1, upsertedCount: 0, upsertedId: null });
      expect(await model.findOne().lean()).toEqual({ _id: "a", n: 1, m: 1 });
    });

    test("findOneAndUpdate with upsert returns the new document, or null as the one before", async () => {
      const model = await collection();
      const update = { $setOnInsert: { n: 1 } };
      expect(
        await model.findOneAndUpdate({ _id: "a" }, update, { upsert: true, returnDocument: "after" }).lean(),
      ).toEqual({ _id: "a", n: 1 });
      expect(await model.findOneAndUpdate({ _id: "b" }, update, { upsert: true }).lean()).toBeNull();
      expect(await model.findById("b").lean()).toEqual({ _id: "b", n: 1 });
    });

    test("fifty upserts of one key at the same moment make one document", async () => {
      const model = await collection([], [[{ key: 1 }, { unique: true }]]);
      const attempts = Array.from({ length: 50 }, (_, n) =>
        codeOf(
          model.updateOne(
            { key: "x" },
            { $setOnInsert: { _id: `id${String(n)}` }, $inc: { hits: 1 } },
            { upsert: true },
          ),
        ),
      );
      const outcomes = await Promise.all(attempts);
      // MongoDB may answer a losing upsert with a duplicate key; it retries most of them itself.
      expect(outcomes.filter((outcome) => outcome !== "none" && outcome !== 11000)).toEqual([]);
      const found = await model.find().lean();
      expect(found).toHaveLength(1);
      expect(found[0]?.hits).toBe(outcomes.filter((outcome) => outcome === "none").length);
    });

    test("replaceOne upserts with the id of its filter", async () => {
      const model = await collection();
      await model.replaceOne({ _id: "a", other: 1 }, { n: 1 }, { upsert: true });
      expect(await model.find().lean()).toEqual([{ _id: "a", n: 1 }]);
    });
  });

  describe("finding and changing in one step", () => {
    test("returns the document before or after the change", async () => {
      const model = await collection([{ _id: "a", n: 1 }]);
      expect(await model.findOneAndUpdate({ _id: "a" }, { $inc: { n: 1 } }).lean()).toEqual({
        _id: "a",
        n: 1,
      });
      const options = { returnDocument: "after", projection: { _id: 0 } } as const;
      expect(await model.findOneAndUpdate({ _id: "a" }, { $inc: { n: 1 } }, options).lean()).toEqual({
        n: 3,
      });
      expect(await model.findOneAndUpdate({ _id: "b" }, { $inc: { n: 1 } }).lean()).toBeNull();
    });

    test("takes the first in sort order", async () => {
      const model = await collection(
        [3, 1, 2].map((n) => ({ _id: String(n), n, open: true })),
        [[{ open: 1, n: 1 }]],
      );
      const take = () =>
        model.findOneAndUpdate({ open: true }, { $set: { open: false } }, { sort: { n: 1 } }).lean();
      expect((await take())?._id).toBe("1");
      expect((await take())?._id).toBe("2");
      expect((await model.findOneAndDelete({}, { sort: { n: -1 } }).lean())?._id).toBe("3");
    });

    test("replaces and deletes", async () => {
      const model = await collection([{ _id: "a", n: 1 }]);
      await model.replaceOne({ _id: "a" }, { m: 1 });
      const before = await model.findOneAndUpdate({ _id: "a" }, { $set: { m: 2 } }).lean();
      expect(before).toEqual({ _id: "a", m: 1 });
      expect(await model.findOneAndDelete({ _id: "a" }).lean()).toEqual({ _id: "a", m: 2 });
      expect(await model.findOneAndDelete({ _id: "a" }).lean()).toBeNull();
    });

    test("each of many concurrent compare-and-set claims is won once", async () => {
      const model = await collection([{ _id: "a", owner: null, version: 0 }]);
      const claims = Array.from({ length: 40 }, (_, n) =>
        model
          .findOneAndUpdate({ _id: "a", owner: null }, { $set: { owner: n }, $inc: { version: 1 } })
          .lean(),
      );
      const won = (await Promise.all(claims)).filter((found) => found !== null);
      expect(won).toEqual([{ _id: "a", owner: null, version: 0 }]);
      expect(await model.findOne().lean()).toMatchObject({ version: 1 });
    });

    test("none of two hundred concurrent increments is lost", async () => {
      const model = await collection([{ _id: "a", n: 0 }]);
      await Promise.all(Array.from({ length: 200 }, () => model.updateOne({ _id: "a" }, { $inc: { n: 1 } })));
      expect(await model.findOne().lean()).toEqual({ _id: "a", n: 200 });
    });
  });

  describe("unique keys", () => {
    test("a duplicate id or key is error 11000 and names the key", async () => {
      const model = await collection([{ _id: "a", k: "x", g: 1 }], [[{ g: 1, k: 1 }, { unique: true }]]);
      await expect(model.create({ _id: "a" })).rejects.toMatchObject({ code: 11000, keyPattern: { _id: 1 } });
      await expect(model.create({ _id: "b", k: "x", g: 1 })).rejects.toMatchObject({
        name: "MongoServerError",
        code: 11000,
        keyPattern: { g: 1, k: 1 },
        keyValue: { g: 1, k: "x" },
      });
      await model.create({ _id: "b", k: "x", g: 2 });
      expect(await codeOf(model.updateOne({ _id: "b" }, { $set: { g: 1 } }))).toBe(11000);
      expect(await model.findById("b").lean()).toEqual({ _id: "b", k: "x", g: 2 });
    });

    test("null and missing are the same key, types are different keys", async () => {
      const model = await collection([], [[{ k: 1 }, { unique: true }]]);
      await model.create({ _id: "missing" });
      expect(await codeOf(model.create({ _id: "null", k: null }))).toBe(11000);
      await model.insertMany([
        { _id: "1", k: 1 },
        { _id: "2", k: "1" },
        { _id: "3", k: true },
        { _id: "4", k: new Date(1) },
        { _id: "5", k: { a: 1 } },
      ]);
      expect(await codeOf(model.create({ _id: "6", k: new Date(1) }))).toBe(11000);
      expect(await codeOf(model.create({ _id: "7", k: { a: 1 } }))).toBe(11000);
    });

    test("a partial unique key applies only to the documents it covers", async () => {
      const partial = { unique: true, partialFilterExpression: { state: "open", n: { $gte: 5 } } };
      const model = await collection([], [[{ k: 1 }, partial]]);
      await model.create({ _id: "a", k: "x", state: "open", n: 5 });
      await model.create({ _id: "b", k: "x", state: "closed", n: 5 });
      await model.create({ _id: "c", k: "x", state: "open", n: 4 });
      await model.create({ _id: "d", k: "x", state: "open", n: "9" });
      expect(await codeOf(model.create({ _id: "e", k: "x", state: "open", n: 6 }))).toBe(11000);
      expect(await codeOf(model.updateOne({ _id: "b" }, { $set: { state: "open" } }))).toBe(11000);
      await model.updateOne({ _id: "a" }, { $set: { state: "closed" } });
      expect(await codeOf(model.updateOne({ _id: "c" }, { $set: { n: 5 } }))).toBe("none");
      expect(await ids(model, { k: "x", state: "open", n: { $gte: 5 } })).toBe("c");
    });

    test("insertMany stops at the first duplicate key when ordered, and continues otherwise", async () => {
      const model = await collection([{ _id: "2" }]);
      const rows = ["1", "2", "3"].map((_id) => ({ _id }));
      await expect(model.insertMany(rows)).rejects.toMatchObject({ code: 11000 });
      expect(await ids(model, {})).toBe("1 2");
      const failure: unknown = await model
        .insertMany(rows, { ordered: false })
        .catch((thrown: unknown) => thrown);
      expect(failure).toMatchObject({
        name: "MongoBulkWriteError",
        code: 11000,
        writeErrors: [{ index: 0 }, { index: 1 }],
      });
      expect(await ids(model, {})).toBe("1 2 3");
    });

    test("bulkWrite does each of its operations and counts them", async () => {
      const model = await collection([
        { _id: "a", n: 1 },
        { _id: "b", n: 1 },
        { _id: "c", n: 1 },
        { _id: "d", n: 1 },
      ]);
      const result = await model.bulkWrite([
        { insertOne: { document: { _id: "e", n: 2 } } },
        { updateOne: { filter: { _id: "a" }, update: { $set: { n: 5 } } } },
        { updateMany: { filter: { n: 1 }, update: { $inc: { n: 1 } } } },
        { updateOne: { filter: { _id: "f" }, update: { $set: { n: 9 } }, upsert: true } },
      ]);
      expect(result).toMatchObject({
        insertedCount: 1,
        matchedCount: 4,
        modifiedCount: 4,
        upsertedCount: 1,
        upsertedIds: { 3: "f" },
      });
      expect(await ids(model, { n: 2 })).toBe("b c d e");
    });

    test("an unordered bulkWrite reports the operations that failed and runs the others", async () => {
      const model = await collection([{ _id: "a" }]);
      const operations = ["a", "b", "a", "c"].map((_id) => ({ insertOne: { document: { _id } } }));
      const failure: unknown = await model
        .bulkWrite(operations, { ordered: false })
        .catch((thrown: unknown) => thrown);
      expect(failure).toMatchObject({
        code: 11000,
        insertedCount: 2,
        writeErrors: [{ index: 0 }, { index: 2 }],
      });
      expect(await ids(model, {})).toBe("a b c");
    });
  });

  describe("indexes", () => {
    test("a unique index cannot be created over documents that collide", async () => {
      const model = await collection([
        { _id: "a", k: 1 },
        { _id: "b", k: 1 },
      ]);
      expect(await codeOf(model.collection.createIndex({ k: 1 }, { unique: true }, {}))).toBe(11000);
      expect(await model.listIndexes()).toMatchObject([{ name: "_id_" }]);
    });

    test("creating an index twice has no effect; the same name or key with other options is refused", async () => {
      const model = await collection([], [[{ k: 1 }]]);
      expect(await model.collection.createIndex({ k: 1 }, {}, {})).toBe("k_1");
      expect(await codeOf(model.collection.createIndex({ k: 1 }, { unique: true }, {}))).toBe(86);
      expect(await codeOf(model.collection.createIndex({ k: 1 }, { name: "other" }, {}))).toBe(85);
    });

    test("expired documents are deleted, others stay", async () => {
      const past = new Date(Date.now() - 120_000);
      const model = await collection(
        [
          { _id: "expired", at: past },
          { _id: "fresh", at: new Date() },
          { _id: "never" },
          { _id: "text", at: past.toISOString() },
          { _id: "number", at: past.getTime() },
        ],
        [[{ at: 1 }, { expireAfterSeconds: 60 }]],
      );
      if (engineName === "embedded") {
        await database.sweepExpired();
        expect(await ids(model, {})).toBe("fresh never number text");
      } else {
        // A server sweeps once a minute; here it is enough that it knows the index.
        expect(await model.listIndexes()).toContainEqual(expect.objectContaining({ expireAfterSeconds: 60 }));
      }
    });
  });

  test("everything is still there after closing and opening", async () => {
    const indexes: Indexes = [[{ k: 1 }, { unique: true }], [{ tags: 1 }]];
    const model = await collection([{ _id: "a", k: "x", at: new Date(1), tags: ["p", "q"] }], indexes);
    const { modelName, schema } = model;
    await database.close();
    database = await engine.open();
    const again = database.connection.model<Row>(modelName, schema);
    await again.init();
    expect(await again.find({ tags: "q" }).lean()).toEqual([
      { _id: "a", k: "x", at: new Date(1), tags: ["p", "q"] },
    ]);
    expect(await codeOf(again.create({ _id: "b", k: "x" }))).toBe(11000);
  });

  test("the database answers a ping", async () => {
    await expect(database.ping()).resolves.toBeUndefined();
  });
});

const loose = { strict: false, strictQuery: false, versionKey: false, minimize: false } as const;

/** The code of the error with which an operation fails, or "none". */
async function codeOf(operation: PromiseLike<unknown>): Promise<unknown> {
  try {
    await operation;
    return "none";
  } catch (thrown) {
    return typeof thrown === "object" && thrown !== null && "code" in thrown ? thrown.code : thrown;
  }
}
