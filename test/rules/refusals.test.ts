import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { operatorSentences } from "../../src/kernel/operator-sentences.ts";
import { namedValues, refusal, refusalSentence } from "../../src/kernel/refusal.ts";
import { sayError } from "../../src/web/page-text.ts";
import { createTranslator } from "../../src/web/translate.ts";
import { refusedBySelectors } from "../support/refused-by-selectors.ts";
import catalogue from "../../views/locales/en/errors.json" with { type: "json" };

const root = join(import.meta.dirname, "../..");
const sentences = catalogue.errors;
const codes = [...Object.keys(sentences), ...Object.keys(operatorSentences)];

describe("the sentences of errors", () => {
  test("are unique, as are their codes", () => {
    expect(codes.filter((code, at) => codes.indexOf(code) !== at)).toEqual([]);
    const said = [...Object.values(sentences), ...Object.values(operatorSentences)];
    const twice = said.filter((sentence, at) => said.indexOf(sentence) !== at);
    expect(twice).toEqual([sentences["nonce-used"]]);
  });

  test("all belong to a code that programs use", () => {
    const programs = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts") && !path.endsWith("operator-sentences.ts"))
      .map((path) => readFileSync(join(root, "src", path), "utf8"));
    const named = new Set(
      programs.flatMap((text) => text.match(/(?<=["'`])[a-z]+(-[a-z]+)*(?=["'`])/g) ?? []),
    );
    expect(codes.filter((code) => !named.has(code))).toEqual([]);
  });

  test("name the values that the compiler asks for", () => {
    const inCatalogue = Object.entries(sentences).flatMap(([code, sentence]) => {
      const names = [...sentence.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = ""]) => name);
      return names.length === 0 ? [] : [[code, names.toSorted()]];
    });
    const typed = Object.entries(namedValues).map(([code, names]) => [code, [...names].toSorted()]);
    expect(Object.fromEntries(inCatalogue)).toEqual(Object.fromEntries(typed));
  });

  test("are filled in with their values, in logs and on pages", () => {
    expect(refusal("backup-exists", { values: { file: "a.zip" } }).message).toBe(
      "a.zip exists already. Choose another name.",
    );
    const tooLong = refusal("feedback-too-long", { values: { longest: 1000 } });
    expect(tooLong.message).toBe("The comment is too long: at most 1000 characters.");
    expect(sayError(createTranslator()("de"), tooLong)).toBe(
      "Der Kommentar ist zu lang: höchstens 1000 Zeichen.",
    );
  });

  test("cannot be stored or thrown with a value missing: the compiler refuses it", () => {
    // @ts-expect-error the sentence names a file
    refusal("backup-exists");
    // @ts-expect-error it names another value
    refusal("lms-list-broken", { values: { who: "a list" } });
    // @ts-expect-error its sentence cannot be stored without values
    refusalSentence("lms-failed");
    expect(refusalSentence("lms-busy")).toBe(sentences["lms-busy"]);
  });
});

describe("an error with its own sentence", () => {
  const planted = 'throw new NamedError("disk-tired", "The disk is tired.");';

  test.each([
    "src/modules/members/sync-roster.ts",
    "src/classroom/send-route.ts",
    "src/lms/products/canvas.ts",
    "src/cli/webhook-commands.ts",
    "src/storage/embedded/back-up.ts",
    "src/kernel/sealer.ts",
  ])("is refused in %s", (file) => {
    expect(refusedBySelectors(planted, file)).toBe(1);
    expect(refusedBySelectors('throw refusal("storage-full");', file)).toBe(0);
  });

  test("is allowed where the tables are read", () => {
    expect(refusedBySelectors(planted, "src/kernel/refusal.ts")).toBe(0);
  });
});
