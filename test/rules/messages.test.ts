import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { catalogues } from "../../src/web/translate.ts";

const root = join(import.meta.dirname, "../..");
const plural = /_(zero|one|two|few|many|other)$/;

/** Every message of a catalogue by its whole key. */
function flat(messages: object, before = ""): Map<string, string> {
  const found = new Map<string, string>();
  const entries: [string, unknown][] = Object.entries(messages);
  for (const [name, value] of entries) {
    if (typeof value === "string") found.set(`${before}${name}`, value);
    else if (typeof value === "object" && value !== null)
      for (const [key, text] of flat(value, `${before}${name}.`)) found.set(key, text);
  }
  return found;
}

const english = flat(catalogues.en);
const withoutForm = (key: string) => key.replace(plural, "");
/** Keys as code writes them: without the plural's form. */
const keys = new Set([...english.keys()].map(withoutForm));

const sources = [
  ...filesIn("src/web", ".ts"),
  ...filesIn("views", ".ejs"),
  ...filesIn("src/modules", ".ts"),
].filter((path) => !path.includes("/messages/"));

function filesIn(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending))
    .map((path) => join(root, folder, path));
}

/** What code says of keys: written out anywhere, asked for by `t`, and beginnings that the rest is added to. */
function used() {
  const written = new Set(["product"]); // it has no dot to be known by
  const asked = new Map<string, string>();
  const beginnings = new Set<string>();
  for (const path of sources) {
    const text = readFileSync(path, "utf8");
    for (const [, key = ""] of text.matchAll(/["'`]([a-z][A-Za-z0-9]*(?:\.[A-Za-z0-9_-]+)+)["'`]/g))
      written.add(key);
    for (const [, key = ""] of text.matchAll(/\bt\(\s*["']([^"']+)["']/g)) asked.set(key, path);
    for (const [, start = ""] of text.matchAll(
      /`([a-z][A-Za-z0-9]*\.(?:[A-Za-z0-9_-]+\.)*[A-Za-z0-9_-]*)\$\{/g,
    )) {
      beginnings.add(start);
    }
  }
  return { written, asked, beginnings };
}

describe("the English messages", () => {
  const { written, asked, beginnings } = used();

  test("have every key that pages ask for", () => {
    const missing = [...asked].filter(([key]) => !keys.has(key));
    expect(missing).toEqual([]);
  });

  test("have no key that nothing asks for", () => {
    const begun = (key: string) => [...beginnings].some((start) => key.startsWith(start));
    const unused = [...keys].filter((key) => !written.has(key) && !begun(key));
    expect(unused).toEqual([]);
  });
});

const others = Object.entries(catalogues).filter(([language]) => language !== "en");

describe.each(others)("the messages in %s", (language, catalogue) => {
  const messages = flat(catalogue);
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;

  /** Which keys this language needs for a key of English; what is said of none at all is said in each. */
  const needed = new Set(
    [...english.keys()].flatMap((key) => {
      if (!plural.test(key)) return [key];
      const own = forms.map((form) => `${withoutForm(key)}_${form}`);
      return key.endsWith("_zero") ? [key, ...own] : own;
    }),
  );

  test("are complete", () => {
    expect([...needed].filter((key) => !messages.has(key))).toEqual([]);
  });

  test("have nothing that English lacks", () => {
    expect([...messages.keys()].filter((key) => !needed.has(key))).toEqual([]);
  });

  test("name the values that the English ones name", () => {
    const wrong = [...messages].flatMap(([key, text]) => {
      const original = english.get(key) ?? english.get(`${withoutForm(key)}_other`) ?? "";
      const [theirs, ours] = [valuesIn(original), valuesIn(text)];
      const unknown = ours.filter((name) => !theirs.includes(name));
      // "one person" needs no number; every other value must be said.
      const unsaid = theirs.filter((name) => !ours.includes(name) && !(plural.test(key) && isNumber(name)));
      return unknown.length + unsaid.length === 0 ? [] : [{ key, unknown, unsaid }];
    });
    expect(wrong).toEqual([]);
  });
});

const isNumber = (name: string) => name === "count" || name === "number";

function valuesIn(text: string): string[] {
  return [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = ""]) => name);
}
