import type { LmsWording } from "../domain/lms-product.ts";
import { type Catalogue, catalogues, inLmsWords, lmsWords } from "./catalogues.ts";
import type { MessageKey } from "./message-key.ts";
import { createMessageWriter, type MessageValues, type MessageWriter } from "./message-writer.ts";

/** A message by key, with its values. `count` chooses the plural form. */
export type Translate = {
  (key: MessageKey, values?: MessageValues): string;
  /**
   * For keys known only at run time, such as one made of another service's code.
   * @returns the message of the first existing key, in the reader's language or in English; null for none.
   */
  dynamic(keys: string | readonly string[], values?: MessageValues): string | null;
  /** For `Intl`: the reader's formats, always in the language of the words. */
  readonly locale: string;
};

/** For a locale such as "de-AT"; English where a catalogue or a message is missing. */
export type TranslatorOf = (locale: string | null) => Translate;

/** Values are not escaped here: the templates do that. */
export function createTranslator(): TranslatorOf {
  const writers = new Map<string, MessageWriter>();
  // When first needed: cutting up the messages of all languages would be a twentieth of the tool's start.
  const writerOf = (language: string, lms: string | null = null): MessageWriter => {
    const name = `${language} ${lms ?? ""}`.trim();
    const made = writers.get(name) ?? createMessageWriter(language, catalogueOf(language, lms));
    writers.set(name, made);
    return made;
  };
  const known = new Map<string | null, Translate>();
  return (given) => {
    const found = known.get(given);
    if (found !== undefined) return found;
    const { plain, lms } = partsOf(given);
    const { language, locale } = readerOf(plain);
    const translate = translateWith(writerOf(language, lms), writerOf("en"), locale);
    if (known.size < 100) known.set(given, translate);
    return translate;
  };
}

/**
 * A locale that says also from which LMS its reader comes, "de-AT-x-moodle", where the language has words of that LMS; BCP 47 leaves what
 * is behind the x to us.
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
  const catalogue = catalogues.get(language) ?? new Map<string, string>();
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

/** The catalogue for a locale as LMSs write it ("pt_br" in Moodle, "en-AU-x-unimelb" in Canvas), and its formats. */
function readerOf(given: string | null): { language: string; locale: string } {
  const canonical = canonicalOf(given ?? "en");
  const { language } = new Intl.Locale(canonical);
  // Formats of a language that the words are not in would mix two on one page.
  if (!catalogues.has(language) || canonical === "en") return { language: "en", locale: "en-GB" };
  // Counts within sentences are written with these digits, too.
  return { language, locale: language === "ar" ? `${language}-u-nu-latn` : canonical };
}

function canonicalOf(given: string): string {
  const [language = ""] = given.split(/[-_]/);
  for (const attempt of [given.replaceAll("_", "-"), language]) {
    try {
      return new Intl.Locale(attempt).baseName;
    } catch {
      continue; // such as "en_us_k12": its language alone may do
    }
  }
  return "en";
}
