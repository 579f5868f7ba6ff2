import { describe, expect, test } from "vitest";
import { createBackgroundRest } from "../../../src/classroom/background-rest.ts";
import {
  backgroundRestMs,
  maxFailuresBeforeRest,
  maxBackgroundCalls,
  maxBackgroundWaitMs,
} from "../../../src/classroom/limits.ts";
import { waitIfNothingTried } from "../../../src/kernel/errors.ts";
import { passingClock } from "../../support/passing-clock.ts";

const open = (shares = true) => {
  const time = passingClock(0);
  const pass = (ms: number) => time.pass(ms, () => Promise.resolve());
  return { pass, rest: createBackgroundRest({ clock: time.clock, shares: () => shares }) };
};
const waitOf = (begin: () => unknown): number | null => {
  try {
    begin();
    return 0;
  } catch (thrown) {
    return waitIfNothingTried(thrown);
  }
};

describe("an account whose service fails, among others", () => {
  test("pauses after failures in a row, longer each time, until an answer comes", async () => {
    const { rest, pass } = open();
    for (let failed = 1; failed < maxFailuresBeforeRest; failed += 1) rest.failed();
    expect(waitOf(() => rest.begin("background"))).toBe(0);
    rest.failed();
    expect(waitOf(() => rest.begin("background"))).toBe(backgroundRestMs.first);
    await pass(backgroundRestMs.first);
    rest.failed();
    expect(waitOf(() => rest.begin("background"))).toBe(2 * backgroundRestMs.first);
    for (let more = 0; more < 20; more += 1) rest.failed();
    expect(waitOf(() => rest.begin("background"))).toBe(backgroundRestMs.longest);
    rest.answered();
    expect(waitOf(() => rest.begin("background"))).toBe(0);
  });

  test("never delays people and instructors", () => {
    const { rest } = open();
    for (let failed = 0; failed < 10; failed += 1) rest.failed();
    for (const priority of ["entry", "instructor", "session"] as const)
      expect(
        waitOf(() => rest.begin(priority)),
        priority,
      ).toBe(0);
  });

  test("has few calls at the same time, and the next one comes back soon", () => {
    const { rest } = open();
    const ends = Array.from({ length: maxBackgroundCalls }, () => rest.begin("background"));
    expect(waitOf(() => rest.begin("background"))).toBeGreaterThan(0);
    ends[0]?.();
    expect(waitOf(() => rest.begin("background"))).toBe(0);
  });

  test("does not block a worker while its turn does not come, and then pauses", async () => {
    const { rest, pass } = open();
    const waiting = rest.bounded(
      "background",
      undefined,
      (signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => {
            reject(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
          });
        }),
    );
    await pass(maxBackgroundWaitMs);
    const thrown: unknown = await waiting.catch((reason: unknown) => reason);
    expect(waitIfNothingTried(thrown)).toBe(backgroundRestMs.first);
    expect(waitOf(() => rest.begin("background"))).toBe(backgroundRestMs.first);
  });
});

test("the only account never pauses, however many calls have failed", () => {
  const { rest } = open(false);
  for (let failed = 0; failed < 10; failed += 1) rest.failed();
  for (let call = 0; call < 10; call += 1) expect(waitOf(() => rest.begin("background"))).toBe(0);
  expect(rest.attempts("background", 4)).toBe(4);
});
