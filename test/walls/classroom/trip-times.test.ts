import { describe, expect, test } from "vitest";
import { createTripTimes } from "../../../src/classroom/trip-times.ts";

const call = (trip: number) => ({ kind: "entry", after: 0, trip });

describe("how late the service may have seen a call", () => {
  test("is the whole time until the answer as long as few calls were made", () => {
    const times = createTripTimes();
    for (let made = 0; made < 12; made += 1) expect(times.answered(call(300))).toBe(300);
  });

  test("leaves out what every call of the kind takes, where the service is slow at all times", () => {
    const times = createTripTimes();
    for (let made = 0; made < 40; made += 1) times.answered(call(1_500));
    expect(times.answered(call(1_500))).toBeLessThan(50);
    expect(times.answered(call(1_700))).toBeLessThan(250);
    expect(times.answered({ ...call(1_500), kind: "another" })).toBe(1_500);
  });

  test("is not taken for less because everything was held up for half a minute", () => {
    const times = createTripTimes();
    for (let made = 0; made < 40; made += 1) times.answered(call(10));
    for (let made = 0; made < 60; made += 1) expect(times.answered(call(100))).toBeGreaterThanOrEqual(90);
  });
});
