import { expect, test, vi } from "vitest";
import { describeRecord, field } from "../../../src/domain/record.ts";
import { inRequest, withFreshReads } from "../../../src/kernel/request-scope.ts";
import { readTogether } from "../../../src/storage/read-once.ts";
import { openRecords } from "../../../src/storage/records.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { seenQueries } from "../../support/builders/seen-queries.ts";
import { required } from "../../support/required.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const { connection } = await forAllTests(openEmptyStores());
const described = {
  fields: { name: field.text },
  personalData: { key: "test", holds: "nobody", stored: "for this test" },
};
const once = openRecords(connection, describeRecord("TestReadOnce", { readOnce: true, ...described }));
const always = openRecords(connection, describeRecord("TestReadAlways", described));
const found = openRecords(connection, describeRecord("TestReadFound", { readOnce: "found", ...described }));
await found.add({ _id: "a", name: "first" });
await once.add({ _id: "a", name: "first" });
await always.add({ _id: "a", name: "first" });

const raw = connection.collection(once.model.collection.collectionName);

const readsOf = async (work: () => Promise<unknown>) => (await seenQueries({ connection }, work)).length;

test("a request reads such a record once, and another request or a worker reads it again", async () => {
  const twice = () => Promise.all([once.find({ _id: "a" }), once.find({ _id: "a" })]);
  expect(await readsOf(() => inRequest("one", twice))).toBe(1);
  expect(await readsOf(() => inRequest("two", twice))).toBe(1);
  expect(await readsOf(twice)).toBe(2);
  expect(await readsOf(() => withFreshReads(twice))).toBe(1);
  expect(
    await readsOf(() => inRequest("three", async () => [await twice(), await withFreshReads(twice)])),
  ).toBe(2);
  expect(
    await readsOf(() =>
      inRequest("one", () => Promise.all([always.find({ _id: "a" }), always.find({ _id: "a" })])),
    ),
  ).toBe(2);
});

test("a missing record is looked for once, or each time, and another key is another record", async () => {
  const work = (records: typeof once) => async () => {
    for (const _id of ["a", "b", "b", "a"]) await records.find({ _id });
  };
  expect(await readsOf(() => inRequest("one", work(once)))).toBe(2);
  expect(await readsOf(() => inRequest("two", work(found)))).toBe(3);
});

test.each([
  ["changed", () => once.change({ _id: "a" }, { $set: { name: "changed" } })],
  ["saved", () => once.saved({ _id: "a" }, { $set: { name: "saved" } })],
  ["taken", () => once.take({ _id: "a" }, { $set: { name: "taken" } })],
  [
    "changed among many",
    () => once.changeEach([{ filter: { _id: "a" }, update: { $set: { name: "changed among many" } } }]),
  ],
  [
    "changed past the model",
    () => raw.updateOne({ name: { $exists: true } }, { $set: { name: "changed past the model" } }),
  ],
])("a record that this process has %s is read again in the same request", async (name, write) => {
  await inRequest("one", async () => {
    await once.find({ _id: "a" });
    await write();
    expect(await once.find({ _id: "a" })).toMatchObject({ name });
  });
});

test("an added or removed record is found in its current state", async () => {
  await inRequest("one", async () => {
    expect(await once.find({ _id: "c" })).toBeNull();
    await once.add({ _id: "c", name: "new" });
    expect(await once.find({ _id: "c" })).toMatchObject({ name: "new" });
    await once.remove({ _id: "c" });
    expect(await once.find({ _id: "c" })).toBeNull();
  });
});

test("a long request sees what another process has written", async () => {
  await inRequest("one", async () => {
    await once.find({ _id: "a" });
    // Bypasses what this process watches.
    const theirs = required(connection.db).collection(raw.collectionName);
    await theirs.updateOne({ name: { $exists: true } }, { $set: { name: "theirs" } });
    expect(await once.find({ _id: "a" })).not.toMatchObject({ name: "theirs" });
    await vi.waitFor(async () => {
      expect(await once.find({ _id: "a" })).toMatchObject({ name: "theirs" });
    });
  });
});

test("simultaneous reads are combined into one, and those in between into the next", async () => {
  const lots: { of: string; keys: readonly number[] }[] = [];
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<null>();
  const square = readTogether(
    async (of: string, keys: readonly number[]) => {
      lots.push({ of, keys });
      await mayAnswer;
      return keys.filter((key) => key > 0).map((key) => ({ key, square: key * key }));
    },
    ({ key }) => key,
  );
  const first = [square("one", 1), square("one", 2), square("one", 2), square("one", -1), square("other", 3)];
  await vi.waitFor(() => {
    expect(lots).toHaveLength(2);
  });
  const second = [square("one", 4), square("one", 1)];
  answer(null);
  const found = await Promise.all([...first, ...second]);
  expect(found.map((rows) => rows.map((row) => row.square))).toEqual([[1], [4], [4], [], [9], [16], [1]]);
  expect(lots).toEqual([
    { of: "one", keys: [1, 2, -1] },
    { of: "other", keys: [3] },
    { of: "one", keys: [4, 1] },
  ]);
});

test("combined reads fail together, and the next ones are tried again", async () => {
  const outcomes = [() => Promise.reject(new Error("away")), () => Promise.resolve(["a", "b"])];
  const find = readTogether(
    (_of: string, _keys: readonly string[]) => required(outcomes.shift())(),
    (found: string) => found,
  );
  const both = await Promise.allSettled([find("one", "a"), find("one", "b")]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await find("one", "a")).toEqual(["a"]);
});
