import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { chosen, type Mutant, plant, readMutants } from "../mutants/mutant.ts";

const root = join(import.meta.dirname, "../..");
const mutants = readMutants();

describe("the planted faults of npm run mutants", () => {
  test("each find their text exactly once, and their tests exist", () => {
    for (const mutant of mutants) {
      const sound = readFileSync(join(root, mutant.file), "utf8");
      expect(
        plant(mutant, () => sound),
        mutant.name,
      ).not.toBe(sound);
      const tests = "tests" in mutant ? mutant.tests : [];
      expect(tests.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    }
  });

  test("have different names", () => {
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
  });

  test("exist for every module", () => {
    const modules = readdirSync(join(root, "src/modules"), { withFileTypes: true }).filter((one) =>
      one.isDirectory(),
    );
    const without = modules.filter(
      ({ name }) => !mutants.some(({ file }) => file.startsWith(`src/modules/${name}/`)),
    );
    expect(without.map(({ name }) => name)).toEqual([]);
  });
});

describe("a planted fault", () => {
  const mutant: Mutant = {
    name: "grading/upside-down",
    breaks: "order",
    file: "src/a.ts",
    tests: ["test/rules/a.test.ts"],
    find: "a < b",
    put: "a > b",
  };
  const inText = (text: string) => () => plant(mutant, () => text);

  test("replaces the text", () => expect(inText("if (a < b) c();")()).toBe("if (a > b) c();"));

  test.each([
    ["is not in", "if (b > a) c();"],
    ["stands more than once in", "a < b || a < b"],
  ])("throws when its text %s the file", (how, text) => {
    expect(inText(text)).toThrow(
      `The mutant grading/upside-down no longer applies: its text to find ${how} src/a.ts. Bring it up to date in test/mutants/mutants.yaml.`,
    );
  });

  const other = { ...mutant, name: "grading-of-others/upside-down" };
  test.each([
    [[], [mutant, other]],
    [["grading"], [mutant]],
    [["grading-of-others/upside-down"], [other]],
  ])("is chosen by its name or its module: %j", (names, wanted) => {
    expect(chosen([mutant, other], names)).toEqual(wanted);
  });

  test("with an unknown name is refused", () => {
    expect(() => chosen([mutant], ["grading/upside"])).toThrow(
      "No mutant is called grading/upside. npm run mutants -- --list names them.",
    );
  });
});
