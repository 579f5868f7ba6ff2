import { beforeEach, describe, expect, test } from "vitest";
import type { Sending } from "../../../src/modules/grading/rules/delivery.ts";
import { openGradingCourse } from "../../support/builders/grading-course.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const course = await forAllTests(openGradingCourse());
beforeEach(() => course.empty());

/** Wants so many points for Ann, so long (ms) after the first score of hers. */
const first = 1_000_000;
let points = 0;
const want = (sending: Sending, after: number) => {
  points += 1;
  const scores = new Map([["attendance", { score: points, maximum: 100, comment: null }]]);
  const ann = {
    personId: "ann",
    sub: "sub-ann",
    seen: { regrade: points, summary: points },
    scores,
    left: false,
  };
  return course.stores.deliveries.want(course.key, [ann], {
    now: first + after,
    sending,
    newId: () => "dlv_1",
  });
};
/** When Ann's score goes out (ms after the first one). */
const goesOutAfter = async () => ((await course.deliveryOf("ann"))?.nextTryAt ?? 0) - first;

describe("Ann's score goes out", () => {
  test.each<[string, Parameters<typeof want>[], number]>([
    ["at once, when nothing more is expected", [["now", 0]], 0],
    ["after 15 s, when more is expected and nothing comes", [["gathered", 0]], 15_000],
    [
      "15 s after the first, however much comes and is expected",
      [
        ["gathered", 0],
        ["gathered", 9_000],
      ],
      15_000,
    ],
    [
      "in a moment, when what came last was all",
      [
        ["gathered", 0],
        ["now", 4_000],
      ],
      5_500,
    ],
    [
      "when all is there, although the course was regraded in between",
      [
        ["gathered", 0],
        ["regraded", 1_000],
      ],
      15_000,
    ],
    ["a moment after the course was regraded", [["regraded", 0]], 1_500],
    [
      "when all is there, although the course was regraded before the first of it was seen through",
      [
        ["regraded", 0],
        ["gathered", 1_000],
      ],
      15_000,
    ],
    [
      "when it was due already, whatever is expected now",
      [
        ["now", 0],
        ["gathered", 100],
      ],
      0,
    ],
  ])("%s", async (_when, wanted, after) => {
    for (const [sending, at] of wanted) await want(sending, at);
    expect(await goesOutAfter()).toBe(after);
  });
});
