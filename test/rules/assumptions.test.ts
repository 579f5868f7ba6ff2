import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { assumptionNames, assumptions, assumptionsPage, turnedOf } from "../../sandbox/assumptions.ts";
import { machinery, origins } from "../../sandbox/origins.ts";

const sandbox = fileURLToPath(new URL("../../sandbox", import.meta.url));
const page = fileURLToPath(new URL("../../sandbox/assumptions.md", import.meta.url));

test("the page of assumptions says what the code says", async () => {
  await expect(assumptionsPage()).toMatchFileSnapshot(page);
});

test("an assumption that nobody bears says what happens, and no other does", () => {
  for (const name of assumptionNames) {
    const { borneBy, loss } = assumptions[name];
    expect([name, loss !== undefined]).toEqual([name, borneBy === "nobody"]);
  }
});

test("assumptions are turned round by name, all at once, or all but some", () => {
  expect(turnedOf("")).toEqual(new Set());
  expect(turnedOf("all").size).toBe(assumptionNames.length);
  expect(turnedOf("borne").has("loginServesAgain")).toBe(false);
  expect(turnedOf("borne, -idsAreTexts").has("idsAreTexts")).toBe(false);
  expect(() => turnedOf("everything")).toThrow("no assumption");
});

test("every file of the stand-ins says where it has from what it imitates, or imitates nothing", async () => {
  const folders = ["stand-in-classroom", "stand-in-lms"];
  const files = await Promise.all(
    folders.map(async (folder) => (await readdir(join(sandbox, folder))).map((name) => `${folder}/${name}`)),
  );
  const named = [...Object.keys(origins), ...machinery];
  expect(named.toSorted()).toEqual(
    files
      .flat()
      .filter((name) => name.endsWith(".ts"))
      .sort(),
  );
});
