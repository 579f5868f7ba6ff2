import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pageParts } from "../../src/web/page-parts.ts";
import { catalogues } from "../support/catalogues.ts";

/**
 * `npm run translations [-- de fr]`: what is missing in a language, still English, or too long for its place. The place of a message is
 * read from the templates that name it: buttons, tabs, pills and column heads have little room.
 */
const root = join(import.meta.dirname, "../..");

/** The most letters that fit in a place, counted in the narrowest frame that we promise to support, 320 px. */
const maxLettersIn = { tab: 18, pill: 22, column: 20, button: 32 } as const;
type Place = keyof typeof maxLettersIn;
/** If English itself is longer than that, a translation may be this many times as long as English. */
const maxRatioToEnglish = 1.3;
/** Names and cognates of one or two words are rightly the same; a phrase is not. */
const minWordsOfPhrase = 3;
/** The LMS's own names for its fields, which have no translation. */
const inEnglishOnPurpose = /^console\.values\./;

type Messages = ReadonlyMap<string, string>;

export type Finding = { key: string; kind: "missing" | "English" | "too long"; text: string };

/** Read aloud instead of a button's words, or in addition to them: it may be long. */
const isLabel = /(?:Label|Named|details)$/;

/** A message in a template, and its place: the last opened element before it that takes words. */
const inPlaces: readonly [Place, RegExp][] = [
  ["pill", /\bpill\([^)]*?\bt\(\s*"([\w.-]+)"/g],
  ["button", /\bleadTo\([^{)]*?\bt\(\s*"([\w.-]+)"/g],
  ["button", /<button\b(?:(?!<\/button>)[\s\S])*?>(?:(?!<\/button>)[\s\S])*?\bt\(\s*"([\w.-]+)"/g],
  ["column", /<th\b[^>]*>\s*<%=\s*t\(\s*"([\w.-]+)"/g],
  // A list of the console: a column begins with its head.
  ["column", /\b(?:column|plain|end|act)\(\s*t\("([\w.-]+)"\),/g],
  ["column", /(?<=\btableHead\((?:(?!%>)[\s\S])*)\bt\(\s*"([\w.-]+)"/g],
];

/** @returns the narrowest place of each message, if a template names it in one. */
export function placesIn(templates: readonly string[]): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  for (const template of templates) {
    for (const [place, pattern] of inPlaces) {
      for (const [, key = ""] of template.matchAll(pattern)) {
        const known = places.get(key);
        if (known === undefined || maxLettersIn[place] < maxLettersIn[known]) places.set(key, place);
      }
    }
  }
  return places;
}

/** The navigation names its tabs by their area. */
const tabs = new Set(
  [true, false].flatMap((teaches) => pageParts.areaTabs(teaches)).map(({ area }) => `nav.${area}`),
);

/** Plural forms have the place of the message that templates name. */
const asked = (key: string) => key.replace(/_(?:zero|one|two|few|many|other)$/, "");

/** @param english The messages that the others are compared with. */
export function findingsOf(
  english: Messages,
  theirs: Messages,
  places: ReadonlyMap<string, Place>,
): Finding[] {
  return [...english].flatMap(([key, text]): Finding[] => {
    const own = theirs.get(key);
    if (own === undefined) return [{ key, kind: "missing", text }];
    if (own === text && wordsIn(text) >= minWordsOfPhrase && !inEnglishOnPurpose.test(key))
      return [{ key, kind: "English", text }];
    const place = tabs.has(key) ? "tab" : places.get(asked(key));
    if (place === undefined || isLabel.test(key)) return [];
    const most = Math.max(maxLettersIn[place], text.length * maxRatioToEnglish);
    return own.length > most ? [{ key, kind: "too long", text: `${own} (${place}: ${text})` }] : [];
  });
}

function wordsIn(text: string): number {
  return text
    .replaceAll(/\{\{.*?\}\}/g, "")
    .split(/\s+/)
    .filter((word) => /\p{L}{2}/u.test(word)).length;
}

/** Includes the lists of the console, which no template names. */
export function templates(): string[] {
  return ["views", "src/modules/console/pages"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ejs") || name.endsWith(".ts"))
      .map((name) => readFileSync(join(root, folder, name), "utf8")),
  );
}

if (import.meta.main) {
  const english = catalogues.get("en") ?? new Map<string, string>();
  const places = placesIn(templates());
  const chosen = process.argv.slice(2);
  for (const [language, messages] of catalogues) {
    if (language === "en" || (chosen.length > 0 && !chosen.includes(language))) continue;
    const findings = findingsOf(english, messages, places);
    console.log(`${language}: ${String(findings.length)} of ${String(english.size)} messages to look at`);
    for (const { key, kind, text } of findings) console.log(`  ${kind}: ${key}: ${text}`);
  }
}
