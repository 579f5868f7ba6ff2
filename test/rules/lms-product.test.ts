import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lmsFamilies } from "../../src/domain/lms-product.ts";
import { refusedBySelectors } from "../support/refused-by-selectors.ts";
import { catalogues } from "../support/catalogues.ts";

const root = join(import.meta.dirname, "../..");
/** How many findings a line causes. */
const findings = (line: string, file = "src/modules/members/sync-roster.ts"): number =>
  refusedBySelectors(`${line}\nexport {};`, file);

describe("a choice by LMS product outside its adapter", () => {
  test.each([
    'const groups = family !== "canvas";',
    'const groups = "canvas" !== words.family;',
    'if (registration?.family === "other") throw new Error();',
    'if (registration.family == "other") throw new Error();',
    'if ("other" === family) throw new Error();',
    "switch (family) { default: }",
    "switch (registration.family) { default: }",
    'switch (kind) { case "moodle": break; }',
    "const shown = { moodle: 1, ...rest }[name];",
    "const shown = limits[family];",
    "const shown = limits[registration.family];",
    'const shown = ["moodle"].includes(name);',
    'const shown = new Map([["canvas", 1]]).get(name);',
    "const shown = name === `canvas`;",
    'const shown = capabilities.wording === "other";',
    'const ofCanvas = product.toLowerCase() === "canvas";',
  ])("is refused: %s", (line) => {
    expect(findings(line)).toBeGreaterThan(0);
    expect(findings(line, "src/lms/products/canvas.ts")).toBe(0);
  });

  test.each([
    "const same = from.family === to.family;",
    'if (webhook.family === "other") throw new Error();',
    "switch (webhook.family) { default: }",
    "const known = documented[webhook.family];",
    'const status = known(text) ?? "other";',
    'const { family = "other" } = given;',
    "const text = t(`console.families.${family}`);",
  ])("is not found in: %s", (line) => expect(findings(line)).toBe(0));

  test("is in no template", () => {
    const views = join(root, "views");
    const templates = readdirSync(views, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".ejs"),
    );
    const [named, all] = [
      lmsFamilies.filter((family) => family !== "other").join("|"),
      lmsFamilies.join("|"),
    ];
    const choice = new RegExp(`[!=]==?\\s*["'\`](?:${all})\\b|\\b(?:${named}):`);
    expect(choice.test('<% if (family === "canvas") { %>')).toBe(true);
    expect(templates.length).toBeGreaterThan(50);
    expect(templates.filter((name) => choice.test(readFileSync(join(views, name), "utf8")))).toEqual([]);
  });
});

test.each([...catalogues])("every product has its name in the console in %s", (_language, texts) => {
  expect(lmsFamilies.filter((family) => !texts.has(`console.families.${family}`))).toEqual([]);
});
