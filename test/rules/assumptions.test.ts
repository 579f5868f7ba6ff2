import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { assumptionNames, assumptions, turnedOf } from "../../sandbox/assumptions.ts";

const sandbox = fileURLToPath(new URL("../../sandbox", import.meta.url));
const page = fileURLToPath(new URL("../../sandbox/assumptions.md", import.meta.url));

const bearers = {
  tool: /^The tool copes with the opposite as it is\.$/,
  dialect: /^The tool copes with the opposite by a dialect file\.$/,
  nobody: /^The tool does not cope with the opposite: \w/,
};

test("the page of assumptions names each assumption, its opposite, and whether the tool copes with that", async () => {
  const entries = (await readFile(page, "utf8")).split("\n### ").slice(1);
  expect(entries.map((entry) => entry.split("\n")[0])).toEqual(assumptionNames);
  for (const [at, name] of assumptionNames.entries()) {
    const told = (entries[at] ?? "").split("\n").filter((line) => line.startsWith("- "));
    expect(told.map((line) => line.slice(2))).toEqual([
      expect.stringMatching(/^Assumed: \w|^Assumed: `/),
      expect.stringMatching(/^Opposite: \S/),
      expect.stringMatching(/^Unknown: \w/),
      expect.stringMatching(/^Relied on by: \w/),
      expect.stringMatching(bearers[assumptions[name]]),
    ]);
  }
});

test("assumptions are reversed by name, all together, or all but some", () => {
  expect(turnedOf("")).toEqual(new Set());
  expect(turnedOf("all").size).toBe(assumptionNames.length);
  expect(turnedOf("borne").has("loginServesAgain")).toBe(false);
  expect(turnedOf("borne, -idsAreTexts").has("idsAreTexts")).toBe(false);
  expect(() => turnedOf("everything")).toThrow("no assumption");
});

test.each(["stand-in-classroom", "stand-in-lms"])(
  "each file of %s begins with the source of what it imitates, or says that it imitates nothing",
  async (folder) => {
    const files = (await readdir(join(sandbox, folder))).filter((name) => name.endsWith(".ts"));
    expect(files.length).toBeGreaterThan(10);
    for (const name of files) {
      const [first = ""] = (await readFile(join(sandbox, folder, name), "utf8")).split("\n");
      expect(`${name}: ${first}`).toMatch(/: \/\/ (From: \w|Imitates nothing[.:])/);
    }
  },
);
