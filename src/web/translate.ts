import i18next, { type TFunction } from "i18next";
import { ar } from "./messages/ar.ts";
import { de } from "./messages/de.ts";
import { en } from "./messages/en.ts";
import { es } from "./messages/es.ts";
import { fr } from "./messages/fr.ts";
import { pt } from "./messages/pt.ts";

/** Looks up a message by key, with its values filled in. */
export type Translate = TFunction & {
  /** How numbers and dates are written for this reader, for `Intl`: always in the language of the words. */
  readonly locale: string;
};

/** A translator for a locale such as "de-AT"; English where a catalogue or a message is missing. */
export type TranslatorOf = (locale: string | null) => Translate;

/** Every language that pages are in; see messages/README.md for how one is added. */
export const catalogues = { en, de, es, fr, pt, ar };

/** Loads the message catalogues. Values are not escaped here: the templates do that. */
export async function createTranslator(): Promise<TranslatorOf> {
  const i18n = i18next.createInstance();
  await i18n.init({
    lng: "en",
    fallbackLng: "en",
    resources: Object.fromEntries(
      Object.entries(catalogues).map(([language, messages]) => [language, { translation: messages }]),
    ),
    interpolation: { escapeValue: false },
  });
  const known = new Map<string, Translate>();
  return (locale) => {
    const reader = readerOf(locale);
    const translate =
      known.get(reader.locale) ??
      Object.assign(i18n.getFixedT(reader.language), { locale: reader.locale }, { lng: reader.language });
    // Locales come from outside: a few are kept.
    if (known.size < 100) known.set(reader.locale, translate);
    return translate;
  };
}

/** The catalogue for a locale as LMSs write it ("pt_br" in Moodle, "en-AU-x-unimelb" in Canvas), and its formats. */
function readerOf(given: string | null): { language: string; locale: string } {
  const canonical = canonicalOf(given ?? "en");
  const { language } = new Intl.Locale(canonical);
  // Formats of a language that the words are not in would mix two on one page.
  if (!(language in catalogues) || canonical === "en") return { language: "en", locale: "en-GB" };
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
