import { expect, test } from "vitest";
import { createLogger } from "../../src/kernel/logger.ts";
import { watchPreviousSecret } from "../../src/inbox/webhook-arrivals.ts";

test("each use of the previous secret is counted, and logged once an hour for each environment", () => {
  const lines: string[] = [];
  const used: string[] = [];
  const clock = { at: 0 };
  const watch = watchPreviousSecret({
    onUse: (environment) => {
      used.push(environment);
    },
    clock: { now: () => clock.at, sleep: () => Promise.resolve() },
    logger: createLogger("info", { write: (line) => lines.push(line) }),
  });
  watch("production", "current");
  expect([used, lines]).toEqual([[], []]);
  for (const minute of [0, 1, 59]) {
    clock.at = minute * 60_000;
    watch("production", "previous");
  }
  watch("staging", "previous");
  expect(used).toEqual(["production", "production", "production", "staging"]);
  expect(lines).toHaveLength(2);
  clock.at = 60 * 60_000;
  watch("production", "previous");
  expect(lines).toHaveLength(3);
  expect(lines[2]).toContain("previous secret");
});
