import { describe, expect, test } from "vitest";
import { createMessageWriter, createTranslator, type MessageValues } from "../../src/web/translate.ts";

const messages = new Map([
  ["plain", "Grades"],
  ["named", "{{name}} of {{course}}"],
  ["twice", "{{name}}, {{name}}"],
  ["bracket", "{{name}} {{ of }} {"],
  ["people_one", "one person"],
  ["people_other", "{{count}} people in {{course}}"],
  ["absent_zero", "nobody"],
  ["absent_other", "{{count}} absent"],
  ["only", "{{count}} of any number"],
]);

describe("a message", () => {
  const write = createMessageWriter("en", messages);

  test.each<[string, string, MessageValues, string | null]>([
    ["without values stays unchanged", "plain", {}, "Grades"],
    ["has its values filled in", "named", { name: "Ada", course: 7 }, "Ada of 7"],
    ["repeats a value as often as it is named", "twice", { name: "Ada" }, "Ada, Ada"],
    ["leaves out a value that is null or undefined", "named", { name: null, course: undefined }, " of "],
    ["shows the name of a missing value", "named", { name: "Ada" }, "Ada of {{course}}"],
    ["keeps brackets that name no value", "bracket", { name: "Ada" }, "Ada {{ of }} {"],
    [
      "does not expand what a value contains",
      "named",
      { name: "{{course}} $& $t(plain)", course: "" },
      "{{course}} $& $t(plain) of ",
    ],
    ["has the form of its number", "people", { count: 1, course: "A" }, "one person"],
    ["has another form for other numbers", "people", { count: 1.5, course: "A" }, "1.5 people in A"],
    ["without a form for 0 uses that of the number", "people", { count: 0, course: "A" }, "0 people in A"],
    ["with a form for 0 uses it", "absent", { count: 0 }, "nobody"],
    ["without the number's form is missing", "absent_one", { count: 1 }, null],
    ["without any form is the same for all numbers", "only", { count: 3 }, "3 of any number"],
    ["with forms is missing without a number", "people", {}, null],
    ["that the catalogue lacks is missing", "no.such", {}, null],
  ])("%s", (_what, key, values, text) => expect(write(key, values)).toBe(text));

  test.each<[string, readonly (readonly [number, string])[]]>([
    [
      "ar",
      [
        [0, "zero"],
        [1, "one"],
        [2, "two"],
        [3, "few"],
        [11, "many"],
        [100, "other"],
      ],
    ],
    [
      "fr",
      [
        [0, "one"],
        [1.5, "one"],
        [2, "other"],
        [1_000_000, "many"],
      ],
    ],
  ])("in %s has the form that the language uses for its number", (language, forms) => {
    const all = (["zero", "one", "two", "few", "many", "other"] as const).map(
      (form) => [`a_${form}`, form] as const,
    );
    // A form for 0 may exist in every language and is then used; French has none of its own.
    const own = new Map(language === "fr" ? all.slice(1) : all);
    const inLanguage = createMessageWriter(language, own);
    expect(forms.map(([count]) => [count, inLanguage("a", { count })])).toEqual(forms);
  });
});

describe("a translator", () => {
  const translatorOf = createTranslator();

  test("writes the first key that exists, or returns null", () => {
    const t = translatorOf("de");
    expect(t.dynamic("no.such")).toBeNull();
    expect(t.dynamic(["no.such", "nav.grades"])).toBe(t("nav.grades"));
  });

  test.each([
    ["pt_br", "pt", "pt-BR"],
    ["de-AT", "de", "de-AT"],
    ["ar-EG", "ar", "ar-u-nu-latn"],
    ["en-AU-x-unimelb", "en", "en-AU"],
    ["en_us_k12", "en", "en-GB"],
    ["tlh", "en", "en-GB"],
    [null, "en", "en-GB"],
  ])("for %s writes %s, and numbers as %s", (given, language, locale) => {
    const t = translatorOf(given);
    expect([t("language.code"), t.locale]).toEqual([language, locale]);
  });
});
