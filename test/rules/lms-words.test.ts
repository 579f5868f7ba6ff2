import { describe, expect, test } from "vitest";
import { createTranslator, lmsWords, localeInWordsOf } from "../../src/web/translate.ts";
import { catalogues } from "../support/catalogues.ts";

const translatorOf = createTranslator();

describe("somebody who comes from an LMS reads its terms", () => {
  test.each([
    ["moodle", "Bewertungen in Moodle", "Die Spalte wurde aus Moodle entfernt.", "Bewertungen"],
    ["canvas", "Noten im Notenbuch", "Die Spalte wurde aus dem Notenbuch entfernt.", "Noten"],
    ["other", "Bewertungen im Notenbuch", "Die Spalte wurde aus dem Notenbuch entfernt.", "Bewertungen"],
  ] as const)("in German from %s", (wording, columns, removed, tab) => {
    const t = translatorOf(localeInWordsOf("de-AT", wording));
    expect(t("grading.fields.kind.label")).toBe(columns);
    expect(t("grades.news.removed")).toBe(removed);
    expect(t("nav.grades")).toBe(tab);
    expect(t.locale, "dates and numbers are the reader's").toBe("de-AT");
  });

  test("adds the LMS to the locale if the language has words for it", () => {
    expect(localeInWordsOf("de", "moodle")).toBe("de-x-moodle");
    expect(localeInWordsOf("fr", "moodle")).toBe("fr");
    expect(localeInWordsOf(null, "canvas")).toBe(null);
  });

  test("a value keeps its words", () => {
    const t = translatorOf(localeInWordsOf("de", "canvas"));
    expect(t("grades.title", { course: "Bewertungen lesen" })).toBe("Noten: Bewertungen lesen");
  });
});

test.each([...lmsWords])("each word that %s replaces is in its catalogue", (name, words) => {
  const texts = [...(catalogues.get(name.split(" ")[0] ?? "") ?? new Map<string, string>()).values()];
  expect([...words.keys()].filter((word) => !texts.some((text) => text.includes(word)))).toEqual([]);
});
