import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createTranslator } from "../../src/web/translate.ts";

const root = join(import.meta.dirname, "../..");
const translatorOf = createTranslator();

/** Lines of files that match, each with its path. */
function linesOf(folder: string, ending: string, wanted: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending))
    .flatMap((path) =>
      readFileSync(join(root, folder, path), "utf8")
        .split("\n")
        .filter((line) => wanted.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
}

describe("a name before what it is the name of", () => {
  test("has its colon from the catalogue, which knows each language's space before it", () => {
    expect(linesOf("views", ".ejs", /%>\s*:[\s<]|:<\//)).toEqual([]);
    expect(translatorOf("en")("label.value", { label: "Ada", value: "7" })).toBe("Ada: 7");
    expect(translatorOf("fr")("label.value", { label: "Ada", value: "7" })).toBe("Ada\u00a0: 7");
  });

  test("never parts from a French colon, question mark or quotation mark at the end of a line", () => {
    expect(linesOf("views/locales/fr", ".json", /: ".*\S [:;?!%»](["\s.,)<]|$)|« /)).toEqual([]);
  });
});
