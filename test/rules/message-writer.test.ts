import i18next from "i18next";
import { describe, expect, test } from "vitest";
import { catalogues } from "../../src/web/catalogues.ts";
import { createTranslator } from "../../src/web/translate.ts";

/** What would be taken for markup, a message, a value or a pattern if it were read again. */
const strange = "$t(nav.home) {{name}} $& <i>";

/** English in full; of the others what depends on the language: the messages that have plural forms. */
describe.each([...catalogues])("messages in %s", (language, catalogue) => {
  test("read as i18next writes them, with every value and number", async () => {
    const i18n = i18next.createInstance();
    await i18n.init({
      lng: language,
      fallbackLng: "en",
      resources: Object.fromEntries(
        [...catalogues].map(([code, messages]) => [code, { translation: Object.fromEntries(messages) }]),
      ),
      keySeparator: false,
      interpolation: { escapeValue: false },
    });
    const translate = (await createTranslator())(language);
    const others: unknown[] = [];
    const asked = new Set<string>();
    for (const [key, message] of catalogue) {
      const plain = key.replace(/_(zero|one|two|few|many|other)$/, "");
      const isPlural = plain !== key;
      if (asked.has(plain) || (!isPlural && language !== "en")) continue;
      asked.add(plain);
      const values: Record<string, unknown> = {};
      for (const [, name = ""] of message.matchAll(/\{\{(\w+)\}\}/g)) values[name] = strange;
      for (const count of isPlural ? [undefined, 0, 1, 2, 3, 11, 100, 1.5, 1_000_000] : [undefined, 3]) {
        const given = count === undefined ? values : { ...values, count };
        const [ours, theirs] = [translate(plain, given), i18n.t(plain, given)];
        if (ours !== theirs) others.push([plain, count, ours, theirs]);
      }
    }
    expect(asked.size).toBeGreaterThan(20);
    expect(others).toEqual([]);
  });
});

describe("a message", () => {
  test("that is missing is its key, its default, or the next key's", async () => {
    const t = (await createTranslator())("de");
    expect(t("no.such")).toBe("no.such");
    expect(t("no.such", { defaultValue: "as it was told" })).toBe("as it was told");
    expect(t(["no.such", "nav.grades"])).toBe(t("nav.grades"));
  });
});
