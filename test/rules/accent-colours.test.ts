import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  accentColours,
  colourFrom,
  contrast,
  grounds,
  isReadable,
  nearestReadable,
  ownAccent,
  type Scheme,
  wordsOn,
} from "../../src/modules/courses/rules/accent-colours.ts";

describe("a typed colour", () => {
  test.each([
    ["#1d5fbf", "#1d5fbf"],
    [" 1D5FBF ", "#1d5fbf"],
    ["#abc", "#aabbcc"],
    ["blue", null],
    ["#12345", null],
    ["#1d5fbf;}", null],
    ["", null],
  ])("%j is %s", (typed, colour) => {
    expect(colourFrom(typed)).toBe(colour);
  });
});

test.each([
  ["#000000", "#ffffff", 21],
  ["#ffffff", "#ffffff", 1],
  ["#767676", "#ffffff", 4.54],
  ["#777777", "#ffffff", 4.48],
])("the contrast of %s and %s is %d", (one, other, ratio) => {
  expect(contrast(one, other)).toBeCloseTo(ratio, 2);
  expect(contrast(other, one)).toBe(contrast(one, other));
});

describe("an accent", () => {
  test.each<[string, Scheme, boolean, string]>([
    [ownAccent.light, "light", true, ownAccent.light],
    [ownAccent.dark, "dark", true, ownAccent.dark],
    ["#8a1538", "light", true, "#8a1538"],
    // Readable on white alone, but not on what is not quite white.
    ["#767676", "light", false, "#707070"],
    ["#ffcc00", "light", false, "#886d00"],
    ["#ff0000", "light", false, "#de0000"],
    ["#ffffff", "light", false, "#707070"],
    [ownAccent.light, "dark", false, "#5d8dd1"],
    ["#000000", "dark", false, "#8c8c8c"],
  ])("%s on %s pages can be read: %s; the nearest that can is %s", (colour, scheme, can, nearest) => {
    expect(isReadable(colour, scheme)).toBe(can);
    expect(nearestReadable(colour, scheme)).toBe(nearest);
  });

  test("has a shade that can be read, whatever it is, and words on it, too", () => {
    const anyColour = fc
      .integer({ min: 0, max: 0xffffff })
      .map((number) => `#${number.toString(16).padStart(6, "0")}`);
    fc.assert(
      fc.property(anyColour, fc.constantFrom<Scheme>("light", "dark"), (colour, scheme) => {
        const shade = nearestReadable(colour, scheme);
        const { page, others } = grounds[scheme];
        // The tab's line stands on the page and needs 3:1.
        for (const ground of [page, ...others, wordsOn(shade)])
          expect(contrast(shade, ground)).toBeGreaterThanOrEqual(4.5);
        if (isReadable(colour, scheme)) expect(shade).toBe(colour);
      }),
    );
  });

  test("for dark pages is the given one, or derived from the light one", () => {
    expect(accentColours("#8a1538", "#ffb3c6")).toEqual({ light: "#8a1538", dark: "#ffb3c6" });
    const { dark } = accentColours("#8a1538", null);
    expect(isReadable(dark, "dark")).toBe(true);
  });
});

test("grounds and the tool's own accents are those of the style sheet", () => {
  const sheet = readFileSync(new URL("../../views/assets/style.css", import.meta.url), "utf8");
  const [light = "", dark = ""] = sheet.match(/:root\s*\{[^}]*--page:[^}]*\}/g) ?? [];
  const tokenOf = (root: string, name: string) => new RegExp(`--${name}:\\s*(#[\\da-f]{6});`).exec(root)?.[1];
  const softOf = (root: string) =>
    Number(/--accent-soft:[^;]*var\(--accent\) (\d+)%, var\(--page\)/.exec(root)?.[1]);
  for (const [scheme, root] of [["light", light] as const, ["dark", dark] as const]) {
    const { page, others, soft } = grounds[scheme];
    expect([page, ...others].toSorted()).toEqual(
      [...new Set(["page", "card", "sunken"].map((name) => tokenOf(root, name) ?? ""))].toSorted(),
    );
    expect(soft * 100).toBeCloseTo(softOf(root));
  }
  expect({ light: tokenOf(light, "brand"), dark: tokenOf(light, "brand-dark") }).toEqual(ownAccent);
  expect(tokenOf(light, "brand-on")).toBe(wordsOn(ownAccent.light));
  expect(tokenOf(light, "brand-dark-on")).toBe(wordsOn(ownAccent.dark));
});
