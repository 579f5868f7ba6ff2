import { catalogueIn, languages } from "../../src/web/translate.ts";

/** The messages of every language. */
export const catalogues = new Map(languages.map((language) => [language, catalogueIn(language)]));
