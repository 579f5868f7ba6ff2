import { expect, test } from "vitest";
import { waitForScores } from "../../../src/modules/grading/send-again.ts";

const course = { id: "crs_1", registrationId: "reg_1" };

/** A gradebook that has tried one more score at each look; time passes only while sleeping. */
function gradebook(due: () => number) {
  const time = { now: 50_000 };
  const clock = {
    now: () => time.now,
    sleep: (ms: number) => {
      time.now += ms;
      return Promise.resolve();
    },
  };
  const asked: number[] = [];
  const countDue = (_registration: string, _course: string, at: number) => {
    asked.push(at);
    return Promise.resolve(due());
  };
  return { deps: { clock, deliveries: { countDue } }, time, asked };
}

test("sending grades again waits until each that was due then was tried", async () => {
  const left = [3, 2, 1, 0];
  const { deps, time, asked } = gradebook(() => left.shift() ?? 0);
  await waitForScores(deps, course);
  expect(time.now).toBe(50_300);
  expect(asked).toEqual([50_000, 50_000, 50_000, 50_000]);
});

test("a wait lasts at most three seconds for a slow gradebook, and no time when nothing is due", async () => {
  const slow = gradebook(() => 1);
  await waitForScores(slow.deps, course);
  expect(slow.time.now).toBe(53_000);
  const quick = gradebook(() => 0);
  await waitForScores(quick.deps, course);
  expect(quick.time.now).toBe(50_000);
});
