import i18next, { type TFunction } from "i18next";
import { en } from "./messages/en.ts";

/** Looks up a message by key, with its values filled in. */
export type Translate = TFunction;

/** A translator for a locale such as "de-AT"; English where a catalogue or a message is missing. */
export type TranslatorOf = (locale: string | null) => Translate;

/** Loads the message catalogues. Values are not escaped here: the templates do that. */
export async function createTranslator(): Promise<TranslatorOf> {
  const catalogue = i18next.createInstance();
  await catalogue.init({
    lng: "en",
    fallbackLng: "en",
    resources: { en: { translation: en } },
    interpolation: { escapeValue: false },
  });
  return (locale) => catalogue.getFixedT(locale ?? "en");
}
