import { join } from "node:path";
import { ESLint, Linter } from "eslint";
import tseslint from "typescript-eslint";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const root = join(import.meta.dirname, "../..");
const configuration = z.object({
  rules: z.object({ "no-restricted-syntax": z.tuple([z.literal(2)]).rest(z.unknown()) }),
});
const rulesFor = async (file: string) =>
  configuration.parse(await new ESLint({ cwd: root }).calculateConfigForFile(join(root, file))).rules;

describe.each([
  "src/modules/members/sync-roster.ts",
  "src/lms/limits.ts",
  "src/kernel/refusal.ts",
  "src/main.ts",
  "src/sandbox/open-course-link.ts",
])("a number in %s", async (file) => {
  const rules = await rulesFor(file);
  const findings = (line: string) =>
    new Linter().verify(`${line}\nexport {};`, { languageOptions: { parser: tseslint.parser }, rules })
      .length;

  test.each([
    "const patience = 3_000;",
    "export const claimLasts = 10_000;",
    "const most = 0.5;",
    "const slice: number = 200;",
    "const looksEvery = 3 * minute;",
    "export const keptFor = 8.64e15;",
    "const items = 40;",
  ])("needs a unit: %s", (line) => {
    expect(findings(line)).toBe(1);
  });

  test.each([
    "const waitMs = 3_000;",
    "export const leaseSeconds = 2 * minute;",
    "const minute = 60_000;",
    "const maxRows = 200;",
    "const callsPerSecond = 2;",
    "const minLikeness = 0.5;",
    "const retryDelays = [1_000, 2_000];",
    "function half(of: number) { const middle = of * 2; return middle; }",
  ])("has one, or needs none: %s", (line) => {
    expect(findings(line)).toBe(0);
  });
});
