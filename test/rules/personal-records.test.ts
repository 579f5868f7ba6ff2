import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isOfTheErased, personalRecords } from "../../src/modules/privacy/rules/erasure.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openEmptyStores } from "../support/builders/open-empty-stores.ts";
import { kindsOn } from "../../src/storage/records.ts";
import { keptRecords } from "../support/kept-records.ts";

const { connection, stores } = await forAllTests(openEmptyStores());
const kinds = stores.personalRecords.models();
const fieldsOf = (model: string): string[] => {
  const kind = kindsOn(connection).get(model)?.kind;
  return ["_id", ...Object.keys({ ...kind?.fields, ...kind?.hidden })];
};

describe("the table of personal data", () => {
  test("lists exactly the kinds of record that the store has", () => {
    const named = personalRecords.map(({ model }) => model);
    expect(named.toSorted()).toEqual(kinds.toSorted());
    expect(new Set(personalRecords.map(({ key }) => key)).size).toBe(named.length);
  });

  test("names only fields that exist", () => {
    const unknown = personalRecords.flatMap(({ model, given = [] }) =>
      given.flatMap(({ fields }) => fields.filter((field) => !fieldsOf(model).includes(field))),
    );
    expect(unknown).toEqual([]);
  });

  test("lists every kind of record with a field named after a person", () => {
    const ofPeople = kinds.filter((kind) =>
      fieldsOf(kind).some((field) =>
        /^(personIds?|userId|by|endedBy|hostPersonId|assigneeId|email)$/.test(field),
      ),
    );
    const placed = personalRecords.filter(({ person }) => person.length > 0).map(({ model }) => model);
    expect(ofPeople.filter((kind) => !placed.includes(kind))).toEqual([]);
    const inLmss = kinds.filter((kind) => fieldsOf(kind).includes("registrationId"));
    const kept = ["AuditEntry", "Erasure"];
    const removed = personalRecords
      .filter(({ ofRegistration }) => ofRegistration !== null)
      .map(({ model }) => model);
    expect(inLmss.filter((kind) => !removed.includes(kind) && !kept.includes(kind))).toEqual([]);
    const inCourses = kinds.filter((kind) => fieldsOf(kind).includes("courseId"));
    const withCourse = personalRecords
      .filter(({ ofCourses }) => ofCourses !== null)
      .map(({ model }) => model);
    expect(inCourses.filter((kind) => !withCourse.includes(kind))).toEqual([]);
  });
});

test("the page for institutions has both tables, word for word", async () => {
  const page = await readFile(join(import.meta.dirname, "../../docs/security/kept-records.md"), "utf8");
  const rows = page.split("\n").filter((line) => /^\| (?!Kind |-)/.test(line));
  const cells = rows.map((row) => row.split("|").map((cell) => cell.trim()));
  // node src/run.mjs --setup test/gate/write-kept-records.ts rewrites it.
  expect(cells.map((row) => row.slice(1, 4))).toEqual(keptRecords.flatMap(({ rows }) => rows));
});

describe("what the classroom reports after somebody was erased", () => {
  const mark = { erasedAt: 1000, risenAt: null };
  const reactivated = { erasedAt: 1000, risenAt: 2000 };
  test.each([
    ["everything is ignored until they come again", mark, { known: false, heldUntil: 5000, at: 4000 }, true],
    [
      "a session before the erasure is ignored forever",
      reactivated,
      { known: true, heldUntil: 900, at: 4000 },
      true,
    ],
    ["an older status is ignored forever", reactivated, { known: true, heldUntil: 5000, at: 900 }, true],
    [
      "new statuses count once they come again",
      reactivated,
      { known: true, heldUntil: 5000, at: 4000 },
      false,
    ],
    ["even before they are matched again", reactivated, { known: false, heldUntil: 5000, at: 4000 }, false],
  ])("%s", (_what, tombstone, told, erased) => expect(isOfTheErased(tombstone, told)).toBe(erased));
});
