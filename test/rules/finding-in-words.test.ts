import { describe, expect, test } from "vitest";
import { advice, finding, seen } from "../../src/classroom/doctor/finding.ts";
import { findingInWords } from "../../src/modules/console/pages/in-words.ts";
import { createTranslator } from "../../src/web/translate.ts";

const inGerman = createTranslator()("de");
const inEnglish = createTranslator()("en");

describe("What the doctor found", () => {
  const refused = finding("wrong", "key", seen("key-refused", { status: 401 }), {
    todo: advice("check-key", { setting: "CLASSROOM_API_KEY" }),
  });

  test("appears in English on the command line and in its reports", () => {
    expect(refused.message).toBe("It’s refused (status 401), also in other usual headers.");
    expect(refused.todo).toMatch(/^Check CLASSROOM_API_KEY: is it complete/);
  });

  test("appears on pages in the reader's language, with its values", () => {
    const german = findingInWords(inGerman, refused);
    expect([german.about, german.message]).toEqual([
      "API-Schlüssel",
      "Er wird abgelehnt (Status 401), auch in anderen üblichen Headern.",
    ]);
    expect(german.todo).toMatch(/^Prüfen Sie CLASSROOM_API_KEY:/);
    expect(findingInWords(inEnglish, refused)).toMatchObject({
      about: "API key",
      message: refused.message,
      todo: refused.todo,
    });
  });

  test.each([
    ["only the command line finds it", finding("wrong", "authorize", "Its url is no web address.")],
    [
      "a later version found it",
      {
        ...refused,
        message: "Something new.",
        todo: "Do it.",
        seen: { code: "new", values: {} },
        advice: { code: "newer", values: {} },
      },
    ],
  ])("stays in English where %s", (_why, found) => {
    expect(findingInWords(inGerman, found)).toMatchObject({ message: found.message, todo: found.todo });
  });
});
