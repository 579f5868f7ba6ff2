import { describe, expect, test } from "vitest";
import { beforeIn, type InOrder, queueSummary } from "../../src/modules/joining/rules/queue-position.ts";

/** The turns are spread over `courses`; people who first need a user need two calls. */
function queueOf(people: number, courses = 1): InOrder[] {
  return Array.from({ length: people }, (_, number) => ({
    turn: 7 + Math.floor(number / courses),
    arrivedAt: 1_000 + number,
    calls: number % 3 === 0 ? 2 : 1,
  }));
}
const callsOf = (queue: readonly InOrder[]) => queue.reduce((sum, { calls }) => sum + calls, 0);

describe("A summary of a queue tells each person how many are before them", () => {
  test.each([
    [0, 1],
    [1, 1],
    [100, 1],
    [100, 7],
  ])("exactly, for %i people in %i courses", (people, courses) => {
    const queue = queueOf(people, courses);
    const summary = queueSummary(queue);
    expect(queue.map((one) => beforeIn(summary, one))).toEqual(
      queue.map((_, number) => ({ people: number, calls: callsOf(queue.slice(0, number)) })),
    );
  });

  test.each([
    [2_000, 1],
    [2_000, 3],
    [10_000, 40],
  ])("within two percent, for %i people in %i courses, in a few hundred steps", (people, courses) => {
    const queue = queueOf(people, courses);
    const summary = queueSummary(queue);
    const told = queue.map((one) => beforeIn(summary, one));
    for (const [number, { people: before, calls }] of told.entries()) {
      expect(Math.abs(before - number)).toBeLessThanOrEqual(Math.max(0, Math.ceil(number / 50)));
      expect(Math.abs(calls - callsOf(queue.slice(0, number)))).toBeLessThanOrEqual(Math.ceil(number / 20));
      expect(before).toBeGreaterThanOrEqual(told[number - 1]?.people ?? 0);
    }
    expect(summary.steps.length).toBeLessThan(400);
  });

  test("even if they came or left since", () => {
    const queue = queueOf(300);
    const summary = queueSummary(queue);
    expect(beforeIn(summary, { turn: 1, arrivedAt: 1 })).toEqual({ people: 0, calls: 0 });
    expect(beforeIn(summary, { turn: 1_000, arrivedAt: 9_000 })).toEqual({
      people: 300,
      calls: callsOf(queue),
    });
    expect(beforeIn(queueSummary([]), { turn: 5, arrivedAt: 1 })).toEqual({ people: 0, calls: 0 });
  });
});
