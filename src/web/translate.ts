import i18next from "i18next";
import { catalogues } from "./catalogues.ts";
import { createMessageWriter, type MessageWriter } from "./message-writer.ts";

/**
 * Looks up a message by key, with its values filled in: of several keys the first that there is, then `defaultValue`.
 * `count` chooses the plural form.
 */
export type Translate = {
  (key: string | string[], values?: Readonly<Record<string, unknown>>): string;
  /** How numbers and dates are written for this reader, for `Intl`: always in the language of the words. */
  readonly locale: string;
};

/** A translator for a locale such as "de-AT"; English where a catalogue or a message is missing. */
export type TranslatorOf = (locale: string | null) => Translate;

/** Loads the message catalogues. Values are not escaped here: the templates do that. */
export async function createTranslator(): Promise<TranslatorOf> {
  const i18n = i18next.createInstance();
  await i18n.init({
    lng: "en",
    fallbackLng: "en",
    resources: Object.fromEntries(
      [...catalogues].map(([language, messages]) => [
        language,
        { translation: Object.fromEntries(messages) },
      ]),
    ),
    keySeparator: false,
    interpolation: { escapeValue: false },
  });
  const writers = new Map<string, MessageWriter>();
  // Each when it is first read in: cutting up the messages of all six would be a twentieth of the tool's start.
  const writerOf = (language: string): MessageWriter => {
    const writer =
      writers.get(language) ?? createMessageWriter(language, catalogues.get(language) ?? new Map());
    writers.set(language, writer);
    return writer;
  };
  const inLanguage = (language: string) => {
    const write = writerOf(language);
    const otherwise = i18n.getFixedT(language);
    return (key: string | string[], values: Readonly<Record<string, unknown>> = {}): string =>
      (typeof key === "string" ? write(key, values) : null) ?? otherwise(key, values);
  };
  const known = new Map<string | null, Translate>();
  return (given) => {
    const found = known.get(given);
    if (found !== undefined) return found;
    const { language, locale } = readerOf(given);
    const translate = Object.assign(inLanguage(language), { locale });
    // Locales come from outside: a few are kept.
    if (known.size < 100) known.set(given, translate);
    return translate;
  };
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
