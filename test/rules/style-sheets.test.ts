import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const folder = join(import.meta.dirname, "../../views/assets");
const sheets = readdirSync(folder)
  .filter((name) => name.endsWith(".css"))
  .map((name) => ({
    name,
    text: readFileSync(join(folder, name), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, ""),
  }));

/** Rules that apply only at some widths of the window or of a container: where, for what, and one property. */
const ofWidths = sheets.flatMap(({ name, text }) =>
  widthBlocks(text).flatMap((block) =>
    [...block.matchAll(/([^{}]+)\{([^{}]*)\}/g)].flatMap(([, selector = "", body = ""]) =>
      body.split(";").map((declaration) => `${name} ${selector.trim()}: ${declaration.trim()}`),
    ),
  ),
);

/** The contents of `@media` and `@container` blocks that ask for a width. */
function widthBlocks(text: string): string[] {
  return [...text.matchAll(/@(?:media|container)[^{]*width[^{]*\{((?:[^{}]*\{[^{}]*\})*)[^{}]*\}/g)].map(
    ([, inside = ""]) => inside,
  );
}

/**
 * The browser tests look at colours in the dark at one width, 600 px (`findingsOnEveryScreen`). Together with what they see there and
 * at both widths in the light, this shows that nothing is unreadable in the dark at another.
 */
test("the width of a window changes no colour except to the muted one", () => {
  const widths = sheets.flatMap(({ text }) => text.match(/@(?:media|container)[^{]*width/g) ?? []);
  expect(sheets.flatMap(({ text }) => widthBlocks(text))).toHaveLength(widths.length);
  const colours = /: (?:--[\w-]+|(?:[\w-]*color)|background[\w-]*|opacity|filter|mix-blend-mode|fill)\s*:/;
  expect(ofWidths.filter((one) => colours.test(one)).toSorted()).toEqual([
    "style.css .table.folds td[data-label]::before: color: var(--muted)",
    "style.css td.when: color: var(--muted)",
  ]);
});

test("every styled name is on a page, and no sheet repeats a rule", () => {
  const root = join(folder, "../..");
  const written = globSync(["views/**/*.{ejs,js}", "src/modules/**/*.ts", "src/web/**/*.ts"], { cwd: root })
    .map((path) => readFileSync(join(root, path), "utf8").replaceAll(/^\s*(?:\*|\/\/).*$/gm, ""))
    .join("\n");
  const quoted = written.matchAll(/class(?:es|Name|List)?\b[^\n]{0,120}|["'`][^"'`\n]*["'`]/g);
  const words = new Set([...quoted].flatMap(([text]) => text.split(/[\s"'`<>=()]+/)));
  const all = sheets.map(({ text }) => text).join("\n");
  const classes = all.replaceAll(/\{[^{}]*\}/g, " ").matchAll(/\.([a-z][\w-]*)/gi);
  // A share is drawn in its tone: `f-good`.
  const styled = [...classes].map(([, name = ""]) => name.replace(/^f-/, ""));
  expect(styled.filter((name) => !words.has(name))).toEqual([]);
  const used = new Set(all.match(/(?<=var\()--[\w-]+/g));
  expect((all.match(/(?<=[{;\s])--[\w-]+(?=:)/g) ?? []).filter((token) => !used.has(token))).toEqual([]);
  const twice = sheets.flatMap(({ name, text }) => {
    const outside = text.replaceAll(/@[^{};]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, "");
    const rules = [...outside.matchAll(/([^{}]+)\{/g)].map(([, selector = ""]) => selector.trim());
    return rules.filter((rule, at) => rules.indexOf(rule) !== at).map((rule) => `${name}: ${rule}`);
  });
  expect(twice).toEqual([]);
});

describe("the colours", () => {
  const tokens = sheets.flatMap(({ text }) => {
    const [light = "", dark = ""] = text.match(/:root\s*\{[^}]*--page:[^}]*\}/g) ?? [];
    return dark === "" ? [] : [["light", light] as const, ["dark", dark] as const];
  });
  const words = [
    ...["text", "muted"].flatMap((word) => ["page", "card", "sunken"].map((ground) => [word, ground])),
    ...["good", "wait", "bad", "info", "free", "none"].flatMap((word) => [
      [word, `${word}-soft`],
      [word, "card"],
    ]),
    ["on-toast", "toast"],
  ];

  test.each(tokens)("of text are readable on every background, %s", (_scheme, root) => {
    const pale = words.filter(
      ([word = "", ground = ""]) => !(contrast(tokenOf(root, word), tokenOf(root, ground)) >= 4.5),
    );
    expect(pale).toEqual([]);
  });

  test.each(tokens)("of edges and of the focus stand out from every background, %s", (_scheme, root) => {
    const grounds = ["page", "card", "sunken"];
    const faint = ["control", "accent"].flatMap((edge) =>
      grounds.filter((ground) => !(contrast(tokenOf(root, edge), tokenOf(root, ground)) >= 3)),
    );
    expect(faint).toEqual([]);
  });

  test("are checked in light and dark", () => {
    expect(tokens.map(([scheme]) => scheme)).toEqual(["light", "dark"]);
  });
});

/** @returns "#rrggbb" */
function tokenOf(root: string, name: string): string {
  return new RegExp(`--${name}:\\s*(#[0-9a-f]{6});`).exec(root)?.[1] ?? "";
}

/** WCAG 2.2, "contrast ratio". */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** WCAG 2.2, "relative luminance". @param colour "#rrggbb" */
function luminance(colour: string): number {
  const [red = NaN, green = NaN, blue = NaN] = [1, 3, 5].map((at) => {
    const share = parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
