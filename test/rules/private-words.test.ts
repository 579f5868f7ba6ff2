import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { retiredIn, vagueNamesIn } from "../gate/private-words.ts";

const src = join(import.meta.dirname, "../../src");
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));

test.each([
  ["const patience = 3;", ["const patience"]],
  ["await payOwed(deps);", ["payOwed"]],
  ["return strayEvents.find(key);", ["strayEvents"]],
  ["const text = wordsOf(reply);", ["wordsOf"]],
  ["allowed(narrowed);", []],
  ['const model = "StrayEvent"; // stray', []],
])("finds a replaced word in: %s", (line, found) => expect(retiredIn(line)).toEqual(found));

test.each([
  ["const kept = 1;", ["const kept"]],
  ["function sharedPlace() {}", ["function sharedPlace"]],
  ["const placement = lookup;", []],
])("finds a vague name in: %s", (line, found) => expect(vagueNamesIn(line)).toEqual(found));

test("src has no replaced words or vague names", () => {
  expect(files.length).toBeGreaterThan(500);
  const back = files.flatMap((name) => {
    const text = readFileSync(join(src, name), "utf8");
    return [...retiredIn(text), ...vagueNamesIn(text)].map((word) => `${name}: ${word}`);
  });
  expect(back).toEqual([]);
});

test("no comment is “of something” without saying what", () => {
  const found = files.flatMap((name) =>
    [...readFileSync(join(src, name), "utf8").matchAll(/(?:\/\*\*|\/\/) (Of [^,.]*\.)/g)].map(([, text]) => [
      name,
      text,
    ]),
  );
  expect(found).toEqual([]);
});
