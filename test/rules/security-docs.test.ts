import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const model = readFileSync(join(root, "docs/security/threat-model.md"), "utf8");
const tenants = readFileSync(join(root, "docs/security/tenants.md"), "utf8");
const accessibility = readFileSync(join(root, "docs/accessibility.md"), "utf8");

describe("the threat model", () => {
  test("names only tests that exist", () => {
    const named = [...new Set([...model.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path = ""]) => path))];
    expect(named.length).toBeGreaterThan(25);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test("has a proof in every row about a way in or a threat", () => {
    const [, waysIn = "", across = ""] =
      /## Ways in\n([\s\S]*?)## Across all ways in\n([\s\S]*?)## /.exec(model) ?? [];
    const rows = `${waysIn}${across}`.split("\n").filter((line) => /^\| (?!-|Way in|Threat)/.test(line));
    expect(rows.length).toBeGreaterThan(25);
    expect(rows.filter((row) => !/`test\/[\w./-]+\.test\.ts`[^|]*\|$/.test(row))).toEqual([]);
  });

  test("speaks of every address that anybody can reach", () => {
    const mounts = readFileSync(join(root, "src/web/web-app.ts"), "utf8");
    const open = [...mounts.matchAll(/(?:app\.use\(\s*|mount\("[a-z]+", )"(\/[a-z]+)"/g)].map(
      ([, path = ""]) => path,
    );
    expect(open).toContain("/webhooks");
    expect([...new Set(open)].filter((path) => !model.includes(`\`${path}`))).toEqual([]);
  });
});

test("every line about what keeps institutions apart names the test that shows it, and those tests exist", () => {
  const rows = tenants.split("\n").filter((line) => /^\| (?!-|What |Harm )/.test(line));
  expect(rows.length).toBeGreaterThan(15);
  expect(rows.filter((row) => !/`test\/[\w./-]+\.test\.ts` *\|$/.test(row))).toEqual([]);
  expect(missing(tenants)).toEqual([]);
});

test("the accessibility statement names only tests that exist", () => {
  expect(accessibility).toContain("WCAG 2.2");
  expect(missing(accessibility)).toEqual([]);
});

/** Files of tests that a page names and that are not there. */
function missing(page: string): string[] {
  const named = [...page.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path = ""]) => path);
  expect(named.length).toBeGreaterThan(5);
  return named.filter((path) => !existsSync(join(root, path)));
}
