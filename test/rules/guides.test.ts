import { describe, expect, test } from "vitest";
import { guides, stepsOf } from "../../src/modules/guides/pages/guides.ts";
import { catalogues, createTranslator } from "../../src/web/translate.ts";

const translatorOf = createTranslator();
const maxWords = 120;
const rows = [...catalogues.keys()].flatMap((language) => guides.map((guide) => ({ language, guide })));

describe.each([true, false])("a guide for a reader who may see grades: %s", (seesGrades) => {
  test.each(rows)("is short: $guide.name in $language", ({ language, guide }) => {
    const t = translatorOf(language);
    const steps = stepsOf(guide, seesGrades, t);
    expect(steps.length).toBeGreaterThanOrEqual(3);
    expect(steps.length).toBeLessThanOrEqual(5);
    expect([t(`guide.${guide.name}.lead`), ...steps].join(" ").split(/\s+/).length).toBeLessThanOrEqual(
      maxWords,
    );
    expect(steps.join(" "), "a value that no step is given").not.toContain("{{");
  });
});

describe("the guides together", () => {
  test("are each about another thing, and each leads back somewhere", () => {
    expect(new Set(guides.map(({ heading }) => heading)).size).toBe(guides.length);
    expect(guides.filter(({ ways }) => ways.length === 0)).toEqual([]);
  });

  test("say in other languages what is not the English", () => {
    const english = translatorOf("en");
    const same = rows.filter(({ language, guide: { name } }) => {
      const lead = `guide.${name}.lead` as const;
      return language !== "en" && translatorOf(language)(lead) === english(lead);
    });
    expect(same).toEqual([]);
  });
});
