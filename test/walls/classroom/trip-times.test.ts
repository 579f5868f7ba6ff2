import { describe, expect, test } from "vitest";
import { createTripTimes } from "../../../src/classroom/trip-times.ts";
import { seededRandom } from "../../../sandbox/seeded-random.ts";
import { maxCare } from "../../../src/classroom/limits.ts";

/** The average delay with which calls are counted (ms), from the given one on. @param trips How long each took (ms). */
function meanLate(trips: readonly number[], from: number): number {
  const times = createTripTimes();
  const lates = trips.map((trip) => times.answered(trip)).slice(from);
  return lates.reduce((sum, late) => sum + late, 0) / lates.length;
}

/** Trips that take between `from` and `to`. */
function spread(from: number, to: number): number[] {
  const random = seededRandom(from + to);
  return Array.from({ length: 400 }, () => from + random() * (to - from));
}

describe("how late the service may have seen a call", () => {
  test("is never more than its answer took", () => {
    const times = createTripTimes();
    for (const trip of [3, 8, 250, 2, 400, 0]) expect(times.answered(trip)).toBeLessThanOrEqual(trip);
  });

  test.each([
    [30, 30],
    [30, 80],
    [30, 300],
    [100, 600],
    [30, 1_000],
    [1_500, 1_500],
    [800, 1_800],
  ])("allows 3.8 calls a second if answers take %i to %i ms", (from, to) => {
    expect(meanLate(spread(from, to), 100)).toBeLessThanOrEqual(38);
    expect(meanLate(spread(from, to), 0)).toBeLessThanOrEqual(45);
  });

  test("ignores the usual time of a call if the service is always slow", () => {
    const times = createTripTimes();
    for (let made = 0; made < 40; made += 1) times.answered(500);
    expect(times.answered(500)).toBeLessThan(30);
  });

  test("is all the extra time of a single slow call, if answers usually take the same time", () => {
    const times = createTripTimes();
    for (let made = 0; made < 100; made += 1) times.answered(50 + (made % 10));
    expect(times.answered(300)).toBe(250);
  });

  test("is at least the variation of the way if answers vary", () => {
    const times = createTripTimes();
    for (const trip of spread(30, 600)) times.answered(trip);
    expect(times.answered(599)).toBeGreaterThanOrEqual(25);
  });

  test("gets less with an answer, never more", () => {
    const times = createTripTimes();
    for (const trip of spread(30, 600)) {
      const before = times.unanswered();
      expect(times.answered(trip)).toBeLessThanOrEqual(before);
    }
  });

  test("is the answer's time for a service that counts replies or refused calls again and again", () => {
    const times = createTripTimes();
    times.setCare(maxCare);
    for (const trip of spread(30, 600)) expect(times.answered(trip)).toBe(trip);
  });
});
