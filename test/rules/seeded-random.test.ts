import { expect, test } from "vitest";
import { seededRandom } from "../../sandbox/seeded-random.ts";
import { createFaults } from "../../sandbox/stand-in-lms/services.ts";

const numbers = (seed: number, count: number) => Array.from({ length: count }, seededRandom(seed));

test("the same seed gives the same numbers, another seed different ones", () => {
  expect(numbers(7, 20)).toEqual(numbers(7, 20));
  expect(numbers(7, 20)).not.toEqual(numbers(8, 20));
});

test("a fault with a share hits about that many calls of its service, and no others", () => {
  const faults = createFaults();
  faults.add({ on: "scores", how: "answer", status: 500, share: 0.3 });
  const met = Array.from({ length: 1_000 }, () => faults.meet("scores")).filter((fault) => fault !== null);
  expect(Math.abs(met.length - 300)).toBeLessThan(50);
  expect(faults.meet("token")).toBeNull();
});
