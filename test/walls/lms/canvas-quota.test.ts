import { afterAll, afterEach, describe, expect, test } from "vitest";
import type { Clock } from "../../../src/kernel/clock.ts";
import { createQuotaPace } from "../../../src/lms/service-calls.ts";
import {
  closeGradebooks,
  type GradebookCourse,
  learnerIds,
  openGradebookCourse,
} from "../../support/builders/gradebook-course.ts";

let world: GradebookCourse;
afterEach(async () => {
  world.lms.setQuirks({ throttle: null });
  await world.end();
});
afterAll(closeGradebooks);

test("scores of a whole class reach a Canvas with a small quota without a refusal", async () => {
  const learners = 40;
  world = await openGradebookCourse("canvas", { learners });
  world.lms.setQuirks({ throttle: { full: 300, leakPerSecond: 10, upFront: 50, cost: 15 } });
  for (const id of learnerIds(learners)) await world.want(id, 80);
  await world.deliver(3);
  const calls = world.lms.log().map(({ status }) => status);
  expect(calls.length).toBeGreaterThanOrEqual(learners);
  expect(calls.filter((status) => status === 403)).toEqual([]);
  expect(learnerIds(learners).map((id) => world.grade(id))).toEqual(
    Array.from({ length: learners }, () => 80),
  );
});

describe("calls to an LMS that reports its quota", () => {
  /** Calls with these answers about the quota; returns how many ran at once at most, and how long was slept (ms). */
  async function run(lefts: readonly (number | null)[], atOnce: number) {
    let now = 0;
    let slept = 0;
    const clock: Clock = {
      now: () => now,
      sleep: async (ms) => {
        now += ms;
        slept += ms;
        await Promise.resolve();
      },
    };
    const pace = createQuotaPace({ clock });
    const answers = [...lefts];
    let running = 0;
    let most = 0;
    const call = async () => {
      running += 1;
      most = Math.max(most, running);
      for (let turns = 0; turns < 5; turns += 1) await Promise.resolve();
      running -= 1;
      return answers.shift() ?? null;
    };
    await pace.run("reg_1", call, (left) => left);
    most = 0;
    await Promise.all(Array.from({ length: atOnce }, () => pace.run("reg_1", call, (left) => left)));
    return { most, slept };
  }

  test.each([
    ["run side by side without a report", [null], 4, { most: 4, slept: 0 }],
    ["run side by side while the quota lasts", [500], 4, { most: 4, slept: 0 }],
    ["wait for enough quota, then run one by one", [80, 90, 95], 3, { most: 1, slept: 4_000 }],
    ["wait at most five seconds each", [0, 0, 0], 2, { most: 1, slept: 10_000 }],
  ])("%s", async (_how, lefts, atOnce, outcome) => {
    expect(await run(lefts, atOnce)).toEqual(outcome);
  });

  test("of another LMS do not wait, and a failed one delays nobody", async () => {
    const clock: Clock = { now: () => 0, sleep: () => Promise.resolve() };
    const pace = createQuotaPace({ clock });
    await pace.run(
      "low",
      () => Promise.resolve(0),
      (left) => left,
    );
    const failed = pace.run(
      "low",
      () => Promise.reject(new Error("broken")),
      () => null,
    );
    const after = pace.run(
      "low",
      () => Promise.resolve(1),
      (left) => left,
    );
    await expect(failed).rejects.toThrow("broken");
    expect(await after).toBe(1);
    expect(
      await pace.run(
        "other",
        () => Promise.resolve(2),
        (left) => left,
      ),
    ).toBe(2);
  });
});
