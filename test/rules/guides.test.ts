import { describe, expect, test } from "vitest";
import { guides } from "../../src/modules/guides/pages/guides.ts";
import { catalogues } from "../../src/web/catalogues.ts";
import { createTranslator } from "../../src/web/translate.ts";

const translatorOf = createTranslator();
const maxWords = 120;
const rows = [...catalogues.keys()].flatMap((language) => guides.map((guide) => ({ language, guide })));

describe.each([true, false])("a guide for a reader who may see grades: %s", (seesGrades) => {
  test.each(rows)("is short: $guide.name in $language", ({ language, guide }) => {
    const t = translatorOf(language);
    const steps = guide.steps(t, seesGrades);
    expect(steps.length).toBeGreaterThanOrEqual(3);
    expect(steps.length).toBeLessThanOrEqual(5);
    expect([t(guide.lead), ...steps].join(" ").split(/\s+/).length).toBeLessThanOrEqual(maxWords);
    expect(steps.join(" "), "a value that no step is given").not.toContain("{{");
  });
});

describe("the guides together", () => {
  test("are each about another thing, and each leads back somewhere", () => {
    const t = translatorOf("en");
    expect(new Set(guides.map((guide) => guide.heading(t))).size).toBe(guides.length);
    expect(guides.filter((guide) => guide.ways(t).length === 0)).toEqual([]);
  });

  test("say in other languages what is not the English", () => {
    const english = translatorOf("en");
    const same = rows.filter(
      ({ language, guide }) =>
        language !== "en" && translatorOf(language)(guide.lead) === english(guide.lead),
    );
    expect(same).toEqual([]);
  });
});
