import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { refused, unreachable } from "../../src/classroom/classroom-errors.ts";
import { problemCodeOf } from "../../src/kernel/errors.ts";
import { classroomProblemText } from "../../src/web/page-text.ts";
import { readinessTexts } from "../../src/modules/members/pages/people-view.ts";
import { createTranslator } from "../../src/web/translate.ts";
import { catalogues } from "../support/catalogues.ts";

const translatorOf = createTranslator();
const languages = [...catalogues.keys()].filter((language) => language !== "en");
const call = { operation: "createEvent", doing: "planning a session", environment: "production" };

/** The codes of the classroom client's errors. */
const codes = [
  ...["classroom-errors", "send-route", "throttle"].flatMap((file) =>
    [
      ...readFileSync(join(import.meta.dirname, `../../src/classroom/${file}.ts`), "utf8").matchAll(
        /refusal\(\s*"([a-z-]+)"/g,
      ),
    ].map(([, code = ""]) => code),
  ),
  "outcome-unknown",
  "unexpected",
  "platform-inactive",
];

describe("why the classroom did not do something", () => {
  test.each(languages)("is described in %s for every code", (language) => {
    const t = translatorOf(language);
    expect(codes.length).toBeGreaterThan(9);
    const english = codes.filter(
      (code) => classroomProblemText(t, "English words.", code) === "English words.",
    );
    expect(english).toEqual([]);
  });

  test("is told to English readers without operators' words", () => {
    const failed = refused(call, 422, {});
    expect(classroomProblemText(translatorOf("en"), failed.message, problemCodeOf(failed))).toBe(
      "The classroom refused this. Tell your administrator.",
    );
  });

  test("appears as it was stored where its code is missing or unknown", () => {
    const german = translatorOf("de");
    for (const code of [undefined, null, "never-heard-of"]) {
      expect(classroomProblemText(german, "English words.", code)).toBe("English words.");
    }
    expect(classroomProblemText(german, null, "classroom-refused"), "nothing is wrong").toBeNull();
  });

  test("distinguishes a lost answer from a call that was never carried out", () => {
    expect(problemCodeOf(unreachable(call, "timeout", true))).toBe("outcome-unknown");
    expect(problemCodeOf(unreachable(call, "timeout", false))).toBe("classroom-unreachable");
    expect(problemCodeOf(new Error("broken"))).toBe("unexpected");
  });

  test("appears in the reader's language in the list of who can enter", () => {
    const texts = readinessTexts(translatorOf("de"), {
      expected: 3,
      ready: 1,
      preparing: 1,
      refused: 1,
      problem: "The classroom service did not answer.",
      problemCode: "classroom-unreachable",
      refusal: "The classroom service refused making an API user.",
      refusalCode: "classroom-refused",
    });
    expect(texts.join(" ")).toContain("Das Klassenzimmer hat nicht geantwortet.");
    expect(texts.join(" ")).toContain("Das Klassenzimmer hat das abgelehnt.");
    expect(texts.join(" ")).not.toContain("The classroom");
  });
});
