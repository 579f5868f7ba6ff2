import fc from "fast-check";
import { type Model, Schema } from "mongoose";
import { beforeAll, expect, test } from "vitest";
import { compareValues, createMatcher } from "../../../src/storage/embedded/matcher.ts";
import { readFilter } from "../../../src/storage/embedded/read-filter.ts";
import { toStoredDocument } from "../../../src/storage/embedded/stored-value.ts";
import { makeIndexes, embeddedEngine, openForAllTests } from "./open-engine.ts";

/**
 * SQLite decides part of a filter. Whatever the documents and the filter: with indexes, without, and with the filter
 * tried on every document in memory, the same documents are found.
 */
type Row = { [field: string]: unknown; _id: string };

let indexed: Model<Row>;
/** Like `indexed`, but never with a list, so that SQLite decides alone wherever it can. */
let listless: Model<Row>;
let plain: Model<Row>;

const database = await openForAllTests(await embeddedEngine());
beforeAll(async () => {
  const loose = { strict: false, strictQuery: false, versionKey: false, minimize: false } as const;
  const withIndexes = () =>
    new Schema<Row>({ _id: String }, loose)
      .index({ a: 1, "b.c": -1 })
      .index({ "b.c": 1 })
      .index({ d: 1 }, { unique: true, partialFilterExpression: { d: { $gte: 3 } } });
  indexed = database.connection.model<Row>("Indexed", withIndexes());
  listless = database.connection.model<Row>("Listless", withIndexes());
  plain = database.connection.model<Row>("Plain", new Schema<Row>({ _id: String }, loose));
  await makeIndexes(database.connection);
});

const single = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    "",
    "x",
    "y",
    "5",
    "Ä",
    "𐍈",
    "a\u0000b",
    0,
    -1,
    5,
    5.5,
    1e20,
    -1e-9,
  ),
  fc.constantFrom<unknown>(new Date(-1), new Date(0), new Date(5), new Date(8.64e15)),
);
const value = fc.oneof(
  { weight: 4, arbitrary: single },
  { weight: 1, arbitrary: fc.array(single, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.record({ c: single }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: fc.array(fc.record({ c: single }, { requiredKeys: [] }), { maxLength: 2 }) },
);
const listlessValue = fc.oneof(single, fc.record({ c: single }, { requiredKeys: [] }));

/** `d` is unique in some of them, so it always differs and is never a list. */
function rowsOf(values: fc.Arbitrary<unknown>): fc.Arbitrary<Row[]> {
  return fc
    .array(fc.record({ a: values, b: values }, { requiredKeys: [] }), { minLength: 1, maxLength: 12 })
    .map((some) => some.map((row, n): Row => ({ _id: String(n), ...row, d: n })));
}

const path = fc.constantFrom("a", "b", "b.c", "d", "_id", "nowhere", "b.0", "b.0.c");
const comparable = single.filter((one) => one !== null);
const condition = fc.oneof(
  value,
  fc.record({ $eq: value }),
  fc.record({ $ne: value }),
  fc.record({ $in: fc.array(value, { maxLength: 3 }) }),
  fc.record({ $nin: fc.array(value, { maxLength: 2 }) }),
  fc
    .record({ $gt: comparable, $lt: comparable }, { requiredKeys: [] })
    .filter((one) => Object.keys(one).length > 0),
  fc.record({ $gte: comparable }),
  fc.record({ $lte: comparable }),
  fc.record({ $exists: fc.boolean() }),
  fc.record({ $size: fc.nat(2) }),
  fc.record({ $not: fc.record({ $gt: comparable }) }),
);
const terms = fc.dictionary(path, condition, { minKeys: 1, maxKeys: 2 });
const filter: fc.Arbitrary<object> = fc.oneof(
  { weight: 3, arbitrary: terms },
  { weight: 1, arbitrary: fc.record({ $or: fc.array(terms, { minLength: 1, maxLength: 3 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ $and: fc.array(terms, { minLength: 1, maxLength: 2 }), a: condition }),
  },
);

async function fill(models: Model<Row>[], documents: Row[]): Promise<void> {
  for (const model of models) {
    await model.collection.deleteMany({});
    for (const document of documents) await model.collection.insertOne({ ...loosely(document) });
  }
}

/** Bypasses mongoose's casting and types, for which `_id` is an ObjectId. */
function loosely(document: object): object {
  return document;
}

function idsOf(found: { _id?: unknown }[]): string {
  return found
    .map((one) => String(one._id))
    .sort()
    .join(" ");
}

async function findAlike(models: Model<Row>[], documents: Row[], filters: object[]): Promise<void> {
  await fill(models, documents);
  for (const one of filters) {
    const matches = createMatcher(readFilter(one));
    const expected = idsOf(documents.filter((document) => matches(toStoredDocument(document))));
    for (const model of models) {
      const found = await model.collection.find(loosely(one)).toArray();
      expect(idsOf(found), `${model.modelName} ${JSON.stringify(one)}`).toBe(expected);
      expect(await model.collection.countDocuments(loosely(one))).toBe(found.length);
      const first = await model.collection.findOne(loosely(one));
      expect(first === null).toBe(found.length === 0);
    }
  }
}

const filters = fc.array(filter, { minLength: 5, maxLength: 5 });

test("a filter finds the same documents with indexes, without, and in memory", async () => {
  const property = fc.asyncProperty(rowsOf(value), filters, (documents, some) =>
    findAlike([indexed, plain], documents, some),
  );
  await fc.assert(property, { numRuns: 100 });
});

test("the same without lists in documents", async () => {
  const property = fc.asyncProperty(rowsOf(listlessValue), filters, (documents, some) =>
    findAlike([listless], documents, some),
  );
  await fc.assert(property, { numRuns: 100 });
});

test("a sort gives the same order with an index, without, and in memory", async () => {
  const direction = fc.constantFrom<1 | -1>(1, -1);
  const property = fc.asyncProperty(rowsOf(single), direction, fc.nat(4), async (documents, sign, skip) => {
    await fill([listless, plain], documents);
    const inMemory = documents
      .map(toStoredDocument)
      .sort((left, right) => {
        const byValue = compareValues(left.a ?? null, right.a ?? null) * sign;
        return byValue !== 0 ? byValue : Number(left.d) - Number(right.d);
      })
      .map((document) => document._id);
    for (const model of [listless, plain]) {
      const options = { sort: { a: sign, d: 1 }, skip, limit: 3 } as const;
      const found = await model.collection.find({}, options).toArray();
      expect(found.map((one) => String(one._id))).toEqual(inMemory.slice(skip, skip + 3));
    }
  });
  await fc.assert(property, { numRuns: 60 });
});
