import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { LmsWording } from "../domain/lms-product.ts";
import { lazily } from "../kernel/async.ts";
import { getOrMake } from "../kernel/lists.ts";
import attendance from "../../views/locales/en/attendance.json" with { type: "json" };
import console from "../../views/locales/en/console.json" with { type: "json" };
import entry from "../../views/locales/en/entry.json" with { type: "json" };
import errors from "../../views/locales/en/errors.json" with { type: "json" };
import frame from "../../views/locales/en/frame.json" with { type: "json" };
import grades from "../../views/locales/en/grades.json" with { type: "json" };
import home from "../../views/locales/en/home.json" with { type: "json" };
import institution from "../../views/locales/en/institution.json" with { type: "json" };
import mail from "../../views/locales/en/mail.json" with { type: "json" };
import people from "../../views/locales/en/people.json" with { type: "json" };
import sessions from "../../views/locales/en/sessions.json" with { type: "json" };
import settings from "../../views/locales/en/settings.json" with { type: "json" };
import same from "../../views/locales/same.json" with { type: "json" };

/** Messages that read the same in every language: their key, and the key of the message they repeat. */
export { same };

/** By area, the first part of a key. English is imported, so the compiler knows every key; other languages are read from their folders. */
export const en = {
  ...attendance,
  ...console,
  ...entry,
  ...errors,
  ...frame,
  ...grades,
  ...home,
  ...institution,
  ...mail,
  ...people,
  ...sessions,
  ...settings,
};

type WithoutForm<Name extends string> = Name extends `${infer Start}_${Intl.LDMLPluralRule}` ? Start : Name;

type KeysIn<Messages> = {
  [Name in keyof Messages & string]: Messages[Name] extends string
    ? WithoutForm<Name>
    : `${Name}.${KeysIn<Messages[Name]>}`;
}[keyof Messages & string];

/** A key of the English messages, such as "nav.home", without plural endings. */
export type MessageKey = KeysIn<typeof en> | keyof typeof same;

/** The rest of all keys with a certain beginning: "grades.files.columns" gives "learner" and others. */
export type KeysUnder<Start extends string> = MessageKey extends infer Key
  ? Key extends `${Start}.${infer Rest}`
    ? Rest
    : never
  : never;

/** Writes a message by key, with its values. `count` chooses the plural form. */
export type Translate = {
  (key: MessageKey, values?: MessageValues): string;
  /**
   * For keys that are known only at run time, such as one from another service's code.
   * @returns the message of the first key that exists, in the reader's language or in English; null if none exists.
   */
  dynamic(keys: string | readonly string[], values?: MessageValues): string | null;
  /** The locale for `Intl`: the reader's formats, always in the language of the words. */
  readonly locale: string;
};

/** Takes a locale such as "de-AT". English replaces a missing catalogue or message. */
export type TranslatorOf = (locale: string | null | undefined) => Translate;

/** Doesn't escape values; the templates do that. */
export function createTranslator(): TranslatorOf {
  const writers = new Map<string, MessageWriter>();
  // Made when first needed, because parsing all languages would take a twentieth of the tool's start.
  const writerOf = (language: string, lms: string | null = null): MessageWriter => {
    const name = `${language} ${lms ?? ""}`.trim();
    const made = writers.get(name) ?? createMessageWriter(language, catalogueOf(language, lms));
    writers.set(name, made);
    return made;
  };
  const known = new Map<string | null, Translate>();
  return (asked) =>
    getOrMake(known, 100, asked ?? null, () => {
      const { plain, lms } = partsOf(asked ?? null);
      const { language, locale } = readerOf(plain);
      return translateWith(writerOf(language, lms), writerOf("en"), locale);
    });
}

/**
 * Adds the reader's LMS to a locale, as in "de-AT-x-moodle", if the language has words for that LMS. BCP 47 leaves the part after x
 * to us.
 */
export function localeInWordsOf(locale: string | null, wording: LmsWording): string | null {
  if (locale === null || !lmsWords.has(`${readerOf(locale).language} ${wording}`)) return locale;
  return `${locale}-x-${wording}`;
}

function partsOf(given: string | null): { plain: string | null; lms: string | null } {
  const [, plain, lms] = /^(.+)-x-(moodle|canvas|other)$/.exec(given ?? "") ?? [];
  return plain === undefined || lms === undefined ? { plain: given, lms: null } : { plain, lms };
}

function catalogueOf(language: string, lms: string | null): Catalogue {
  const catalogue = catalogueIn(language);
  const words = lms === null ? undefined : lmsWords.get(`${language} ${lms}`);
  return words === undefined ? catalogue : inLmsWords(catalogue, words);
}

const noValues: MessageValues = {};

function translateWith(write: MessageWriter, english: MessageWriter, locale: string): Translate {
  const written = (key: string, values: MessageValues) => write(key, values) ?? english(key, values);
  return Object.assign((key: MessageKey, values = noValues): string => written(key, values) ?? key, {
    dynamic(keys: string | readonly string[], values = noValues): string | null {
      for (const key of typeof keys === "string" ? [keys] : keys) {
        const text = written(key, values);
        if (text !== null) return text;
      }
      return null;
    },
    locale,
  });
}

/** Finds the catalogue and the formats for a locale as LMSs write it ("pt_br" in Moodle, "en-AU-x-unimelb" in Canvas). */
function readerOf(given: string | null): { language: string; locale: string } {
  const canonical = canonicalOf(given ?? "en");
  const { language } = new Intl.Locale(canonical);
  // Otherwise a page would have the words of one language and the formats of another.
  if (!languages.includes(language) || canonical === "en") return { language: "en", locale: "en-GB" };
  // Numbers within sentences use these digits, too.
  return { language, locale: language === "ar" ? `${language}-u-nu-latn` : canonical };
}

function canonicalOf(given: string): string {
  const [language = ""] = given.split(/[-_]/);
  for (const attempt of [given.replaceAll("_", "-"), language]) {
    try {
      return new Intl.Locale(attempt).baseName;
    } catch {
      continue; // such as "en_us_k12": the language alone may work
    }
  }
  return "en";
}

/** A message, split at its values: text, name of a value, text, ..., text. */
type Cut = readonly string[];

/** The values for a message's `{{names}}`. `count` is a number that chooses the plural form. */
export type MessageValues = Readonly<Record<string, string | number | null | undefined>>;

/** Returns null if the language has no message with this key. */
type MessageWriter = (key: string, values: MessageValues) => string | null;

/**
 * Writes messages in i18next v4's format: fills in `{{names}}`, and `count` chooses a form (`people_one`). Splits messages once,
 * because a page with hundreds of lines writes thousands.
 * @param language Such as "pt"; decides the plural forms.
 */
export function createMessageWriter(language: string, catalogue: Catalogue): MessageWriter {
  const messages = new Map<string, Cut>();
  for (const [key, message] of catalogue) messages.set(key, message.split(/\{\{(\w+)\}\}/));
  const plurals = new Intl.PluralRules(language);
  const cutOf = (key: string, count: unknown): Cut | undefined => {
    if (typeof count !== "number") return messages.get(key);
    // Any language may have a separate form for zero.
    const none = count === 0 ? messages.get(`${key}_zero`) : undefined;
    return none ?? messages.get(`${key}_${plurals.select(count)}`) ?? messages.get(key);
  };
  return (key, values) => {
    const cut = cutOf(key, values.count);
    return cut === undefined ? null : filled(cut, values);
  };
}

/** If a value is missing, its name is shown, so people notice. */
function filled(cut: Cut, values: MessageValues): string {
  let text = cut[0] ?? "";
  for (let at = 1; at < cut.length; at += 2) {
    const name = cut[at] ?? "";
    const value = values[name] ?? (Object.hasOwn(values, name) ? "" : `{{${name}}}`);
    text += String(value) + (cut[at + 1] ?? "");
  }
  return text;
}

/** Messages by whole key, such as "nav.home". A plural's key ends with its form, as in i18next. */
type Catalogue = ReadonlyMap<string, string>;

const folder = fileURLToPath(new URL("../../views/locales", import.meta.url));

/** The folders of views/locales. English is first, because Express picks the first for a browser that accepts any. */
export const languages: readonly string[] = [
  "en",
  ...foldersIn(folder).filter((language) => language !== "en"),
];

const catalogues = new Map(languages.map((language) => [language, lazily(() => readCatalogue(language))]));

/** A language's messages, read when first needed; empty for an unknown language. */
export function catalogueIn(language: string): Catalogue {
  return catalogues.get(language)?.() ?? new Map<string, string>();
}

const replacements = z.record(z.string(), z.string());

/**
 * Words that replace others for readers from a certain LMS: "im Notenbuch" becomes "in Moodle". By language and LMS, "de moodle",
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

/** A catalogue in an LMS's words. Earlier entries win. Only whole words are replaced, never a part of another word. */
function inLmsWords(catalogue: Catalogue, words: ReadonlyMap<string, string>): Catalogue {
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

function readCatalogue(language: string): Catalogue {
  if (language === "en") return withSame(new Map(messagesIn(en)));
  const path = join(folder, language);
  const files = readdirSync(path).filter((name) => name.endsWith(".json"));
  return withSame(
    new Map(files.flatMap((name) => [...messagesIn(JSON.parse(readFileSync(join(path, name), "utf8")))])),
  );
}

/** Adds messages that repeat another one, unless the language has its own. */
function withSame(messages: Map<string, string>): Catalogue {
  for (const [key, other] of Object.entries(same)) {
    const text = messages.get(other);
    if (text !== undefined && !messages.has(key)) messages.set(key, text);
  }
  return messages;
}

/** All messages in nested objects; skips anything that isn't text. */
function* messagesIn(messages: unknown, before = ""): Generator<[key: string, message: string]> {
  if (typeof messages !== "object" || messages === null) return;
  const entries: [string, unknown][] = Object.entries(messages);
  for (const [name, value] of entries) {
    if (typeof value === "string") yield [before + name, value];
    else yield* messagesIn(value, `${before}${name}.`);
  }
}
