import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { weaknessOf } from "../../src/modules/operations/rules/console-access.ts";

const rule = { length: 16, different: 8 };

describe("A secret", () => {
  test.each([
    ["too short", "Zt8-qP1!", /at least 16 characters/],
    ["one character", "a".repeat(64), /too few different/],
    ["few different characters", "ababababbaababbaabba", /too few different/],
    ["a repeated word", "blackbirdblackbird", /repeats itself/],
    ["digits in order", "1234567890123456", /repeats itself/],
    ["the alphabet", "abcdefghijklmnop", /repeats itself/],
    ["the alphabet backwards", "zyxwvutsrqponmlk", /repeats itself/],
    ["from an example", "CHANGE-ME-please", /placeholder/],
    ["from an example, with digits", "MySecretPassword123", /placeholder/],
    ["a season and a year", "Summer-2026-Summer!!", /everybody tries first/],
    ["a month and a year", "!!November!!2026!!", /everybody tries first/],
    ["two months of one year", "januarfebruar2026", /everybody tries first/],
    ["a row of x", "xxxxxxxx-xxxxxxxx", /placeholder/],
  ])("that is %s is weak", (_what, secret, words) => expect(weaknessOf(secret, rule)).toMatch(words));

  test.each(["correct horse battery", "key-4829173650184", "blackbird-singing-in", "summer-482917365018"])(
    "%s is accepted",
    (secret) => expect(weaknessOf(secret, rule)).toBeNull(),
  );

  test("that is random is never called weak", () => {
    for (let times = 0; times < 5_000; times += 1) {
      const bytes = randomBytes(48);
      const made: [string, typeof rule][] = [
        [bytes.toString("base64"), { length: 32, different: 10 }],
        [bytes.subarray(0, 24).toString("hex"), rule],
        [bytes.subarray(0, 18).toString("base64"), { length: 12, different: 6 }],
      ];
      for (const [secret, its] of made) expect([secret, weaknessOf(secret, its)]).toEqual([secret, null]);
    }
  });

  test("is judged quickly, even if it is long", () => {
    const began = performance.now();
    for (const part of ["x", "pass", "test", "ab"]) weaknessOf(`${part.repeat(20_000)}q`, rule);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
