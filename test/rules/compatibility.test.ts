import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cells, chosenCells, seesOf, wayOf } from "../compatibility/cells.ts";
import { inSection, pageOfPlanted, pageOfWalks, type Walked } from "../compatibility/page.ts";
import { readMutants } from "../mutants/mutant.ts";

describe("the walks of npm run compatibility", () => {
  test("cover every engine, cookie setting, LMS and role", () => {
    expect(new Set(cells.map(({ name }) => name)).size).toBe(3 * 3 * 5 * 4);
  });

  test.each([
    [[], 180],
    [["webkit/canvas"], 12],
    [["learner/strict", "chromium/kept/strict/learner"], 9],
    [["firefox/neither/open-edx/assistant", "canvas/learner/kept"], 4],
  ])("are chosen by parts of their names: %j", (asked, count) => {
    expect(chosenCells(asked)).toHaveLength(count);
  });

  test("are refused by a name that matches none", () => {
    expect(() => chosenCells(["safari/canvas"])).toThrow("No walk is called safari/canvas.");
  });

  test.each([
    ["partitioned", "moodle-4.5", "frame"],
    ["nothing", "canvas", "values"],
    ["nothing", "strict", "values"],
    ["nothing", "moodle-5.1", "window"],
    ["nothing", "open-edx", "window"],
  ] as const)("in a browser that keeps %s, into a course of %s, enter by %s", (keeps, lms, way) => {
    expect(wayOf(keeps, lms)).toBe(way);
  });

  test.each([
    ["moodle-4.5", "teacher"],
    ["canvas", "learner"],
    ["strict", "arranger"],
  ] as const)("of an administrator of %s end on the pages of a %s", (lms, sees) => {
    expect(seesOf({ lms, role: "administrator" })).toBe(sees);
  });
});

describe("the page", () => {
  const run = { day: "2026-11-29", minutes: 12, cores: 2, pictures: "compatibility" };
  const walked = cells.map((cell): Walked => {
    if (cell.engine === "webkit") return { cell, found: null, failed: null };
    if (cell.name === "firefox/refused/strict/assistant")
      return { cell, found: null, failed: { expected: "the areas of the role", picture: "one.png" } };
    return { cell, found: { keeps: "partitioned", way: "frame", version: "150" }, failed: null };
  });
  const text = pageOfWalks(walked, run);

  test.each([
    "2026-11-29, Chromium 150, Firefox 150: **119 of 180 walks are green**, in 12 minutes on 2 cores.",
    "| Moodle 5.1 | ✓ frame | ✓ frame | ✓ frame | ✓ frame | ✓ frame | ✓ frame | not driven | not driven | not driven |",
    "| Strict platform | ✓ frame | ✓ frame | ✓ frame | ✓ frame | **red: assistant** | ✓ frame | not driven | not driven | not driven |",
    "- **firefox/refused/strict/assistant** ([picture](compatibility/one.png)): the areas of the role",
    "| refused | partitioned | partitioned, not seen | not seen |",
  ])("says %s", (line) => {
    expect(text.split("\n")).toContain(line);
  });

  test("keeps the text around a part that is replaced", () => {
    const page = "before\n<!-- a -->old<!-- /a -->\nafter";
    expect(inSection(page, "a", "new")).toBe("before\n<!-- a -->\n\nnew\n\n<!-- /a -->\nafter");
    expect(() => inSection(page, "b", "new")).toThrow("The page has no part b.");
  });

  test("names a planted fault that no walk noticed", () => {
    const [one, other] = ["a/one", "a/other"].map((name) => ({ name, breaks: `${name} holds`, walk: "x" }));
    const said = pageOfPlanted(
      [one, other].flatMap((row) => row ?? []),
      [{ name: "a/one" }],
      "2026-11-29",
    );
    expect(said).toContain("**1 of 2 planted faults turned their walk red.**");
    expect(said).toContain("| a/other holds | x | **green** |");
  });

  test("has both parts, and plants ten faults in existing walks", () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/compatibility.md"), "utf8");
    expect(() => inSection(inSection(page, "walks", ""), "planted", "")).not.toThrow();
    const walks = readMutants().flatMap((mutant) => ("walk" in mutant ? [mutant.walk] : []));
    expect(walks).toHaveLength(10);
    expect(chosenCells(walks)).toHaveLength(10);
  });
});
