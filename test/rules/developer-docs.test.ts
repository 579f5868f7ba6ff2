import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): Promise<string> => readFile(join(root, path), "utf8");

const names = (await readdir(join(root, "docs/adr"))).filter((name) => name !== "README.md").toSorted();
const records = await Promise.all(
  names.map(async (name) => ({ name, text: await read(`docs/adr/${name}`) })),
);

/** Files and folders of this repository that a text names in code, such as `src/app.ts`. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/`((?:src|sandbox|test|docs|views|lti-config|\.ci)\/[\w./-]+)`/g)].map(
    ([, path = ""]) => path.replace(/\/$/, ""),
  );
}

test("every number up to the highest has one record, or was merged into one", async () => {
  const numbers = names.map((name) => name.slice(0, 4));
  const merged = [...(await read("docs/adr/README.md")).matchAll(/(\d{4}) into (\d{4})/g)];
  const all = [...numbers, ...merged.map(([, old = ""]) => old)].toSorted().map(Number);
  expect(all).toEqual(all.map((_, before) => before + 1));
  expect(merged.filter(([, , into = ""]) => !numbers.includes(into))).toEqual([]);
});

describe.each(records)("the decision record $name", ({ name, text }) => {
  test("has its number, a date and every section, on a page", () => {
    expect(text.split(/\s+/).length).toBeLessThan(560);
    expect(text.startsWith(`# ${name.slice(0, 4)}. `)).toBe(true);
    expect(text).toMatch(/^Status: (accepted|superseded by \d{4}). Date: 20\d\d-\d\d-\d\d[;. ]/m);
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, section]) => section)).toEqual([
      "Context",
      "Decision",
      "Options weighed",
      "Price",
      "Code",
    ]);
  });

  test("says where its code is", () => {
    const [, code = ""] = text.split("## Code\n");
    expect(code.match(/`[^`]+`/g)?.length ?? 0).toBeGreaterThan(1);
  });

  test("stands in the list of records", async () => {
    const title = /^# \d{4}\. (.+)$/m.exec(text)?.[1] ?? "";
    expect(await read("docs/adr/README.md")).toContain(`- [${name.slice(0, 4)}](${name}) ${title}\n`);
  });
});

const pages = [
  "CONTRIBUTING.md",
  "docs/architecture.md",
  "docs/adr/README.md",
  ...(await readdir(join(root, "docs/recipes"))).map((name) => `docs/recipes/${name}`),
  ...names.map((name) => `docs/adr/${name}`),
];

test.each(pages)("%s names files that are there", async (page) => {
  expect(pathsIn(await read(page)).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
