import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createTranslator, en, same } from "../../src/web/translate.ts";
import { catalogues } from "../support/catalogues.ts";
import context from "../../views/locales/context.json" with { type: "json" };

const root = join(import.meta.dirname, "../..");
const plural = /_(zero|one|two|few|many|other)$/;

const english = catalogues.get("en") ?? new Map<string, string>();
const withoutForm = (key: string) => key.replace(plural, "");
/** Keys as code writes them: without the plural's form. */
const keys = new Set([...english.keys()].map(withoutForm));

const sources = [
  ...["src/domain", "src/modules", "src/web"].flatMap((folder) => filesIn(folder, ".ts")),
  ...filesIn("views", ".ejs"),
];

function filesIn(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending))
    .map((path) => join(root, folder, path));
}

/** The keys that code uses: written out, passed to `t` in a template, or as a beginning to which the rest is added. */
function used() {
  const written = new Set<string>();
  const asked = new Map<string, string>();
  const beginnings = new Set<string>();
  for (const path of sources) {
    const text = readFileSync(path, "utf8");
    for (const [, key = ""] of text.matchAll(/["'`]([a-z][A-Za-z0-9]*(?:\.[A-Za-z0-9_-]+)+)["'`]/g))
      written.add(key);
    // In programs, the compiler checks it.
    if (path.endsWith(".ejs"))
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

  test("have every key that templates use", () => {
    const missing = [...asked].filter(([key]) => !keys.has(key));
    expect(missing).toEqual([]);
  });

  test("have no key that nothing uses", () => {
    const begun = (key: string) => [...beginnings].some((start) => key.startsWith(start));
    const unused = [...keys].filter((key) => !written.has(key) && !begun(key));
    expect(unused).toEqual([]);
  });
});

describe("messages that repeat another one", () => {
  const isWritten = (key: string) => key.split(".").reduce<unknown>(valueIn, en) !== undefined;

  test("refer to one that is written in English, and are not written themselves", () => {
    const wrong = Object.entries(same).filter(([key, other]) => !isWritten(other) || isWritten(key));
    expect(wrong).toEqual([]);
  });
});

function valueIn(messages: unknown, name: string): unknown {
  return messages !== null && typeof messages === "object" ? Reflect.get(messages, name) : undefined;
}

describe("the files of messages", () => {
  /** The areas of each file of a language. */
  const filesOf = (language: string) =>
    filesIn(`views/locales/${language}`, ".json")
      .filter((path) => !path.includes("/lms/"))
      .map((path): [string, string[]] => [
        basename(path, ".json"),
        Object.keys(z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(path, "utf8")))),
      ])
      .toSorted(([a], [b]) => a.localeCompare(b));
  const files = filesOf("en");
  const areas = files.flatMap(([, inFile]) => inFile);

  test("are all known to the compiler, each area in one file", () => {
    expect(areas.toSorted()).toEqual(Object.keys(en).toSorted());
  });

  test.each([...catalogues])("in %s have the areas of the English ones, in the same order", (language) => {
    expect(filesOf(language)).toEqual(files);
  });

  test("are all explained to translators, and nothing else is explained", () => {
    const explained = Object.keys(context);
    expect(areas.filter((area) => !explained.includes(area))).toEqual([]);
    const isThere = (name: string) => [...english.keys()].some((key) => `${key}.`.startsWith(`${name}.`));
    expect(explained.filter((name) => !isThere(name))).toEqual([]);
  });

  test.each([...catalogues])("in %s name their language by their folder", (language, messages) => {
    expect(messages.get("language.code")).toBe(language);
    expect(messages.get("language.direction")).toMatch(/^(ltr|rtl)$/);
  });
});

describe("a label before its value", () => {
  const translatorOf = createTranslator();

  test("has its colon from the catalogue, as each language spaces it", () => {
    const colon = /%>\s*:[\s<]|:<\//;
    const lines = filesIn("views", ".ejs").flatMap((path) => readFileSync(path, "utf8").split("\n"));
    expect(lines.filter((line) => colon.test(line))).toEqual([]);
    expect(translatorOf("en")("label.value", { label: "Ada", value: "7" })).toBe("Ada: 7");
    expect(translatorOf("fr")("label.value", { label: "Ada", value: "7" })).toBe("Ada\u00a0: 7");
  });

  test("never wraps before a French colon, question mark or quotation mark", () => {
    const french = [...(catalogues.get("fr") ?? [])];
    expect(french.filter(([, text]) => /\S [:;?!%»](["\s.,)<]|$)|« /.test(text))).toEqual([]);
  });
});

describe("a guide", () => {
  const maxWords = 120;

  test.each([...catalogues])("in %s has at most 120 words", (_, messages) => {
    const said = [...messages].filter(([key]) => /^guide\.\w+\.(?!heading$|picture$)/.test(key));
    const guides = Map.groupBy(said, ([key]) => key.split(".")[1]);
    const long = [...guides].filter(
      ([, texts]) => texts.flatMap(([, text]) => text.split(/\s+/)).length > maxWords,
    );
    expect(guides.size).toBeGreaterThan(5);
    expect(long.map(([name]) => name)).toEqual([]);
  });
});

test("the sentence of a refusal is in the catalogue, not in a program", () => {
  const programs = filesIn("src", ".ts").map((path) => [path, readFileSync(path, "utf8")] as const);
  const twice = Object.values(en.errors).flatMap((sentence) =>
    programs.filter(([, text]) => text.includes(sentence)).map(([path]) => [path, sentence]),
  );
  expect(twice).toEqual([]);
});

const others = [...catalogues].filter(([language]) => language !== "en");

describe.each(others)("the messages in %s", (language, messages) => {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;

  /** The keys that this language needs for an English key; the form for 0 exists in every language. */
  const needed = new Set(
    [...english.keys()].flatMap((key) => {
      if (!plural.test(key)) return [key];
      const own = forms.map((form) => `${withoutForm(key)}_${form}`);
      return key.endsWith("_zero") ? [key, ...own] : own;
    }),
  );

  test("are complete", () => expect([...needed].filter((key) => !messages.has(key))).toEqual([]));

  test("have no keys that English lacks", () => {
    expect([...messages.keys()].filter((key) => !needed.has(key))).toEqual([]);
  });

  test("use the values that the English ones use", () => {
    const wrong = [...messages].flatMap(([key, text]) => {
      const original = english.get(key) ?? english.get(`${withoutForm(key)}_other`) ?? "";
      const [theirs, ours] = [isKept(key) ? [] : valuesIn(original), valuesIn(text)];
      const unknown = ours.filter((name) => !theirs.includes(name));
      // "one person" needs no number; all other values must be used.
      const unsaid = theirs.filter((name) => !ours.includes(name) && !(plural.test(key) && isNumber(name)));
      return unknown.length + unsaid.length === 0 ? [] : [{ key, unknown, unsaid }];
    });
    expect(wrong).toEqual([]);
  });
});

/** An LMS's reason for refusing is stored as a code and an English sentence; its values are shown nowhere else. */
const isKept = (key: string) => key.startsWith("errors.lms-");

const isNumber = (name: string) => name === "count" || name === "number";

function valuesIn(text: string): string[] {
  return [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = ""]) => name);
}
