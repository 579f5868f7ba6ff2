import { describe, expect, test } from "vitest";
import { sessionColumnLabel } from "../../src/modules/grading/rules/column.ts";
import {
  afterWanting,
  type Delivery,
  inPoints,
  type SentScore,
} from "../../src/modules/grading/rules/delivery.ts";
import type { GradebookTraits } from "../../src/domain/lms-product.ts";
import { compareWithGradebook } from "../../src/modules/grading/rules/compare-with-gradebook.ts";
import { backOff } from "../../src/modules/grading/after-attempt.ts";
import { deliveryOf } from "../support/builders/delivery.ts";

const moodle: GradebookTraits = {
  resultsInclude: "everybody",
  reportsZero: true,
  emptyMeansCleared: false,
  sendingEndsExcused: false,
  keepsTeachersGrade: true,
  resultsIn: "column",
  resultsPerCall: 1_000,
};
const canvas: GradebookTraits = {
  ...moodle,
  resultsInclude: "graded-only",
  emptyMeansCleared: true,
  sendingEndsExcused: true,
  keepsTeachersGrade: false,
  resultsIn: "as-sent",
};
const column = "https://lms.test/column";
const cell = (traits: GradebookTraits, points: number | null = null) => ({
  lineItemUrl: column,
  traits,
  points,
});

const score = (points: number | null, comment: string | null = null): SentScore => ({
  score: points,
  maximum: 100,
  comment,
});
const shownAs = (points: number | null, maximum = 100, comment: string | null = null) => ({
  score: points,
  maximum,
  comment,
});

/** A delivered score. */
const delivery = (change: Partial<Delivery> = {}) =>
  deliveryOf({
    accepted: accepted(80, column),
    state: "delivered",
    waitingSince: null,
    lastSentAt: 1,
    ...change,
  });

const accepted = (points: number | null, lineItemUrl: string) => ({ ...score(points), at: 1, lineItemUrl });
const theirs = { score: 44, maximum: 50, seenAt: 1 };
const nothingSent: Partial<Delivery> = { accepted: null, lastSentAt: null };
const sentUnanswered: Partial<Delivery> = { accepted: null, unconfirmed: [score(60), score(70)] };

describe("a grade in the gradebook", () => {
  const desired = { ...score(90), revision: 2 };

  test.each([
    ["what was accepted", {}, shownAs(80), "ours"],
    ["what was accepted, after a teacher gave the column 20 points", {}, shownAs(16, 20), "ours"],
    ["what was accepted, to five decimals of one point", {}, shownAs(0.8, 1), "ours"],
    ["another one", {}, shownAs(44, 50), "foreign"],
    ["one that differs by a hundredth", {}, shownAs(80.01), "foreign"],
    ["a 0 that a teacher gave", {}, shownAs(0), "foreign"],
    ["none any more, as after a course reset", {}, null, "ours"],
    ["a row without a score", {}, shownAs(null), "ours"],
    ["a 0 where ours was cleared", { accepted: { ...score(null), at: 1 } }, shownAs(0), "ours"],
    ["none where ours is 0, and 90 is wanted", { accepted: { ...score(0), at: 1 } }, null, "ours"],
    ["a teacher's where ours was cleared", { accepted: { ...score(null), at: 1 } }, shownAs(55), "foreign"],
    ["one before the first score", nothingSent, shownAs(55), "foreign"],
    ["a 0 before the first score", nothingSent, shownAs(0), "foreign"],
    ["none before the first score", nothingSent, null, "ours"],
    ["what was sent and never answered", sentUnanswered, shownAs(70), "ours"],
    ["what was sent before that", sentUnanswered, shownAs(60), "ours"],
    ["something else than was sent", sentUnanswered, shownAs(65), "foreign"],
    ["what is wanted, given by a teacher", nothingSent, shownAs(90), "as-wanted"],
    ["what is wanted, in other points", nothingSent, shownAs(18, 20), "as-wanted"],
    ["the teacher's that is to be replaced", { overruled: theirs }, shownAs(44, 50), "ours"],
    ["a newer one than was to be replaced", { overruled: theirs }, shownAs(46, 50), "foreign"],
    ["ours, cut at the maximum", { accepted: { ...score(120), at: 1 } }, shownAs(100), "ours"],
  ] as const)("Moodle shows %s", (_what, change, shown, judgement) => {
    expect(compareWithGradebook(cell(moodle), delivery(change), desired, shown)).toBe(judgement);
  });

  test.each([
    ["none where it took one: removed or excused", {}, shownAs(null), "foreign"],
    ["none where ours was cleared", { accepted: accepted(null, column) }, null, "ours"],
    ["none in a column that was made again", { accepted: accepted(80, "old") }, null, "ours"],
    ["none where a clearing may have arrived", { unconfirmed: [score(null)] }, null, "ours"],
    ["none where that is to be replaced", { overruled: { ...theirs, score: null } }, null, "ours"],
    ["none where nothing was taken", { accepted: null }, null, "ours"],
  ] as const)("Canvas shows %s", (_what, change, shown, judgement) => {
    expect(compareWithGradebook(cell(canvas), delivery(change), desired, shown)).toBe(judgement);
  });

  const sent = (points: number | null, of: number) => ({ ...score(points), at: 1, points: of });
  test.each([
    ["Moodle shows the number that it had before", moodle, sent(100, 100), shownAs(100, 100), "ours"],
    ["Moodle has rescaled it", moodle, sent(90, 100), shownAs(180, 200), "as-wanted"],
    ["Moodle shows another number", moodle, sent(100, 100), shownAs(150, 100), "foreign"],
    ["Moodle computed the number again", moodle, sent(90, 100), shownAs(180, 100), "as-wanted"],
    ["Canvas repeats what was sent", canvas, sent(90, 100), shownAs(90, 100), "ours"],
    ["Canvas repeats what was sent since", canvas, sent(90, 200), shownAs(90, 100), "as-wanted"],
    ["Canvas shows what a teacher typed in", canvas, sent(90, 100), shownAs(75, 100), "foreign"],
  ] as const)("a column got 200 points instead of 100: %s", (_what, traits, accepted, shown, judgement) => {
    const wanted = traits === moodle && accepted.score === 100 ? { ...desired, score: 100 } : desired;
    const double = cell(traits, 200);
    expect(compareWithGradebook(double, delivery({ accepted }), wanted, shown)).toBe(judgement);
  });

  test("a grade that was cleared is not cleared again", () => {
    const cleared: Partial<Delivery> = { accepted: { ...score(null), at: 1 } };
    const wanted = { ...score(null), revision: 2 };
    const judge = (change: Partial<Delivery>) =>
      compareWithGradebook(cell(moodle), delivery(change), wanted, null);
    expect(judge(cleared)).toBe("as-wanted");
    expect(judge({ ...cleared, unconfirmed: [score(80)] })).toBe("ours");
    expect(judge({})).toBe("ours");
  });

  test("an unknown LMS may show 0 for a missing grade", () => {
    const traits = { ...moodle, reportsZero: false };
    const before = delivery(nothingSent);
    expect(compareWithGradebook(cell(traits), before, desired, shownAs(0))).toBe("ours");
  });

  test("sends the score again if the gradebook has the score but not its comment", () => {
    const wanted = { ...score(90, "9 of 10"), revision: 2 };
    const judge = (change: Partial<Delivery>, comment: string | null) =>
      compareWithGradebook(cell(moodle), delivery(change), wanted, shownAs(90, 100, comment));
    expect(judge(nothingSent, null)).toBe("ours");
    expect(judge(nothingSent, "9 of 10")).toBe("as-wanted");
    expect(judge({ accepted: null, unconfirmed: [score(90, "9 of 10")] }, null)).toBe("as-wanted");
    expect(judge({ accepted: { ...score(90), at: 1 } }, null)).toBe("ours");
  });
});

describe("when another score is wanted", () => {
  const held: Partial<Delivery> = { state: "held", foreign: theirs };

  test("a held delivery stays held", () => expect(afterWanting(delivery(held), score(90), 5)).toEqual({}));

  test("a held delivery is settled when the score becomes the teacher's, without counting as a late arrival", () => {
    const accepted = { ...score(60), at: 3, markedAt: 2 };
    const settled = afterWanting(delivery({ ...held, accepted }), score(88), 5);
    expect(settled).toMatchObject({ state: "delivered", accepted: { score: 88, at: 5 }, foreign: null });
    expect(settled.accepted).not.toHaveProperty("markedAt");
  });

  test("a grade that an instructor left stays the teacher's, even if ours is the same for a while", () => {
    const left = { ...held, foreign: { ...theirs, leftAt: 2 } };
    expect(afterWanting(delivery(left), score(88), 5)).toEqual({});
  });

  test("a held clearing is settled if the teacher removed the grade", () => {
    const removed = delivery({ state: "held", foreign: { score: null, maximum: 1, seenAt: 1 } });
    expect(afterWanting(removed, score(null), 5)).toMatchObject({ state: "idle" });
    expect(afterWanting(removed, score(0), 5)).toEqual({});
  });

  test("a score that the LMS already has is not sent again unless in doubt", () => {
    const changed = delivery({ state: "waiting", desired: { ...score(90), revision: 2 } });
    expect(afterWanting(changed, score(80), 5)).toMatchObject({ state: "delivered" });
    expect(afterWanting({ ...changed, unconfirmed: [score(90)] }, score(80), 5)).toMatchObject({
      state: "waiting",
    });
    expect(afterWanting({ ...changed, again: true }, score(80), 5)).toMatchObject({ state: "waiting" });
  });

  test("a clearing is sent only if a score was sent before", () => {
    expect(afterWanting(delivery(nothingSent), score(null), 5)).toMatchObject({ state: "idle" });
    expect(afterWanting(delivery(), score(null), 5)).toMatchObject({ state: "waiting", nextTryAt: 5 });
  });

  test("an LMS that asked to wait is not called earlier, and the alarm keeps counting", () => {
    const asked = { nextTryAt: 900, waitingSince: 3, reason: "busy" };
    expect(afterWanting(delivery({ state: "waiting", ...asked }), score(70), 500)).toMatchObject(asked);
    const due = { state: "waiting", nextTryAt: 500, waitingSince: 500, refusal: null };
    expect(afterWanting(delivery({ state: "refused" }), score(70), 500)).toMatchObject(due);
  });
});

test.each([
  [{ title: "Cells", startsAt: Date.UTC(2027, 2, 28, 8) }, "Europe/Berlin", "Cells, 2027-03-28 10:00"],
  [{ title: "Cells", startsAt: Date.UTC(2027, 2, 28, 0, 30) }, "America/New_York", "Cells, 2027-03-27 20:30"],
  [{ title: "Cells 2027-03-28", startsAt: Date.UTC(2027, 2, 28, 8) }, null, "Cells 2027-03-28 08:00"],
  [{ title: " ", startsAt: null }, null, "Session"],
  [{ title: "x".repeat(300), startsAt: 0 }, null, `${"x".repeat(237)}, 1970-01-01 00:00`],
  [{ title: `${"x".repeat(236)}\u{1f9ec}`, startsAt: 0 }, null, `${"x".repeat(236)}, 1970-01-01 00:00`],
] as const)("a session's column is named by title and date: %o in %s", (session, zone, label) => {
  expect(sessionColumnLabel(session, zone)).toBe(label);
});

test("retries come less and less often, spread out, and at least every quarter of an hour", () => {
  const pauses = [1, 2, 3, 9, 50].map((attempts) => backOff(attempts, () => 0.5));
  expect(pauses).toEqual([2_000, 4_000, 8_000, 512_000, 900_000]);
  expect(backOff(1, () => 0)).toBe(1_500);
  expect(backOff(1, () => 1)).toBe(2_500);
});

test("a grade out of 0 points, which has no share, is kept as the LMS reports it", () => {
  expect(inPoints({ score: 8, maximum: 0 }, 10)).toEqual({ score: 8, maximum: 0 });
});
