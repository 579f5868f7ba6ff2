import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { en } from "./english.ts";

/** By whole key, such as "nav.home"; a plural's key ends in its form, as in i18next. */
export type Catalogue = ReadonlyMap<string, string>;

const folder = fileURLToPath(new URL("../../views/locales", import.meta.url));

/** Each a folder of views/locales. English is first: Express takes it for a browser that takes any. */
export const catalogues: ReadonlyMap<string, Catalogue> = new Map([
  ["en", new Map(messagesIn(en))],
  ...foldersIn(folder)
    .filter((language) => language !== "en")
    .map((language): [string, Catalogue] => [language, readCatalogue(join(folder, language))]),
]);

const replacements = z.record(z.string(), z.string());

/**
 * What readers from an LMS read instead of words of a catalogue: "im Notenbuch" is "in Moodle". By language and LMS, "de moodle",
 * from `views/locales/de/lms/moodle.json`.
 */
export const lmsWords: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  foldersIn(folder).flatMap((language) => {
    const path = join(folder, language, "lms");
    if (!existsSync(path)) return [];
    return readdirSync(path).map((file): [string, ReadonlyMap<string, string>] => {
      const words = replacements.parse(JSON.parse(readFileSync(join(path, file), "utf8")));
      return [`${language} ${basename(file, extname(file))}`, new Map(Object.entries(words))];
    });
  }),
);

/** A catalogue in an LMS's words. Earlier words go first; whole words are replaced, so that none is found within another. */
export function inLmsWords(catalogue: Catalogue, words: ReadonlyMap<string, string>): Catalogue {
  const found = new RegExp(`(?<![\\p{L}\\p{M}])(?:${[...words.keys()].join("|")})(?![\\p{L}\\p{M}])`, "gu");
  return new Map(
    [...catalogue].map(([key, text]) => [key, text.replaceAll(found, (word) => words.get(word) ?? word)]),
  );
}

function foldersIn(path: string): string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}

function readCatalogue(path: string): Catalogue {
  const files = readdirSync(path).filter((name) => name.endsWith(".json"));
  return new Map(
    files.flatMap((name) => [
      ...messagesIn(JSON.parse(readFileSync(join(path, name), "utf8")), `${basename(name, ".json")}.`),
    ]),
  );
}

/** Messages in nested objects; anything else in a file is left out. */
function* messagesIn(messages: unknown, before = ""): Generator<[key: string, message: string]> {
  if (typeof messages !== "object" || messages === null) return;
  const entries: [string, unknown][] = Object.entries(messages);
  for (const [name, value] of entries) {
    if (typeof value === "string") yield [before + name, value];
    else yield* messagesIn(value, `${before}${name}.`);
  }
}
