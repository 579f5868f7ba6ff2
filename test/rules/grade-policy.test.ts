import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { knownStatuses } from "../../src/domain/attendance.ts";
import { defaultGradePolicy, gradeOf, type GradePolicy, unsaidRule } from "../../src/domain/grade-policy.ts";

type OneColumn = Extract<GradePolicy, { kind: "one-column" }>;

/** The default policy with some of it changed. */
function policy(change: Partial<OneColumn> = {}): OneColumn {
  return {
    kind: "one-column",
    points: 100,
    credit: { PRESENT: 100, LATE: 80, ABSENT: 0, EXCUSED: null },
    comment: false,
    ...unsaidRule,
    ...change,
  };
}

function times(count: number, status: string): string[] {
  return Array.from({ length: count }, () => status);
}

describe("a grade under the default policy", () => {
  test.each([
    ["nothing held yet", [], null, "No session counts yet."],
    ["always there", ["PRESENT", "PRESENT"], 100, "2x100 / 2 = 100"],
    ["twice there and once late", ["PRESENT", "LATE", "PRESENT"], 93.33, "(2x100 + 1x80) / 3 = 93.33"],
    ["never there", ["ABSENT", "ABSENT"], 0, "2x0 / 2 = 0"],
    ["once there and once not", ["ABSENT", "PRESENT"], 50, "(1x100 + 1x0) / 2 = 50"],
    ["one of everything", ["PRESENT", "LATE", "ABSENT", "EXCUSED"], 60, "(1x100 + 1x80 + 1x0) / 3 = 60"],
    ["excused once", ["PRESENT", "EXCUSED"], 100, "1x100 / 1 = 100"],
    ["only excused", ["EXCUSED", "EXCUSED"], null, "No session counts yet."],
  ])("%s", (_who, statuses, score, explanation) => {
    expect(gradeOf(defaultGradePolicy, statuses)).toEqual({ score, explanation, uncounted: [] });
  });

  test("never counts a status that nobody documented, and names it", () => {
    expect(gradeOf(defaultGradePolicy, ["PRESENT", "LEFT_EARLY", "present", "LEFT_EARLY"])).toEqual({
      score: 100,
      explanation: "1x100 / 1 = 100",
      uncounted: ["LEFT_EARLY", "present", "LEFT_EARLY"],
    });
  });

  test("is no grade at all, rather than zero, when every status is unknown", () => {
    expect(gradeOf(defaultGradePolicy, ["LEFT_EARLY"])).toEqual({
      score: null,
      explanation: "No session counts yet.",
      uncounted: ["LEFT_EARLY"],
    });
  });
});

describe("rounding", () => {
  test.each([
    ["half of a hundredth goes up", 1, 1, 199, 0.01], // 1/200 = 0.005
    ["just under half goes down", 1, 1, 200, 0], // 1/201 = 0.00497...
    ["three halves go up", 1, 3, 197, 0.02], // 3/200 = 0.015, which binary fractions round to 0.01
    ["a third", 100, 1, 2, 33.33],
    ["two thirds", 100, 2, 1, 66.67],
    ["a decimal that binary cannot hold", 1, 201, 199, 0.5], // 201/400 = 0.5025
    ["1.005 is 1.01", 3, 67, 133, 1.01], // 3*67/200 = 1.005, which binary fractions round to 1
  ])("%s", (_what, points, present, absent, score) => {
    const statuses = [...times(present, "PRESENT"), ...times(absent, "ABSENT")];
    expect(gradeOf(policy({ points }), statuses).score).toBe(score);
  });

  test("happens once, at the end: the parts that are shown rounded are added up exactly", () => {
    const thirds = policy({ points: 1, credit: { PRESENT: 100, LATE: 33, ABSENT: 0, EXCUSED: null } });
    expect(gradeOf(thirds, times(3, "LATE"))).toMatchObject({
      score: 0.33,
      explanation: "3x0.33 / 3 = 0.33",
    });
  });
});

describe("a course's own policy", () => {
  test("gives no score when the course gives no grades", () => {
    expect(gradeOf({ kind: "no-grades" }, ["PRESENT"])).toEqual({
      score: null,
      explanation: "This course gives no grades.",
      uncounted: [],
    });
  });

  test("explains in the column's own points", () => {
    expect(gradeOf(policy({ points: 10 }), ["PRESENT", "PRESENT", "LATE"])).toMatchObject({
      score: 9.33,
      explanation: "(2x10 + 1x8) / 3 = 9.33",
    });
  });

  test("may give credit for being excused", () => {
    const credit = { PRESENT: 100, LATE: 80, ABSENT: 0, EXCUSED: 100 };
    expect(gradeOf(policy({ credit }), ["EXCUSED", "ABSENT"]).score).toBe(50);
  });

  test("may leave absences out", () => {
    const credit = { PRESENT: 100, LATE: 80, ABSENT: null, EXCUSED: null };
    expect(gradeOf(policy({ credit }), ["LATE", "ABSENT"]).score).toBe(80);
  });

  test("puts statuses of equal worth into one term", () => {
    const credit = { PRESENT: 100, LATE: 100, ABSENT: 0, EXCUSED: null };
    expect(gradeOf(policy({ credit }), ["PRESENT", "LATE", "ABSENT"]).explanation).toBe(
      "(2x100 + 1x0) / 3 = 66.67",
    );
  });
});

describe("whatever the policy and the statuses", () => {
  const percent = fc.integer({ min: 0, max: 100 });
  const percentOrOut = fc.option(percent, { nil: null });
  const anyPolicy = fc.record({
    kind: fc.constant("one-column" as const),
    points: fc.integer({ min: 1, max: 100 }),
    credit: fc.record({
      PRESENT: percentOrOut,
      LATE: percentOrOut,
      ABSENT: percentOrOut,
      EXCUSED: percentOrOut,
    }),
    comment: fc.boolean(),
    dropLowest: fc.constant(0),
    denominator: fc.constant({ kind: "so-far" as const }),
    minimumSessions: fc.constant(1),
  });
  const anyStatuses = fc.array(fc.constantFrom(...knownStatuses, "LEFT_EARLY"), { maxLength: 60 });

  test("the order of sessions makes no difference to the score or how it is explained", () => {
    const shuffled = anyStatuses.chain((list) =>
      fc.tuple(
        fc.constant(list),
        fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
      ),
    );
    fc.assert(
      fc.property(anyPolicy, shuffled, (given, [one, other]) => {
        const { score, explanation } = gradeOf(given, one);
        expect(gradeOf(given, other)).toMatchObject({ score, explanation });
      }),
    );
  });

  test("a score lies between 0 and the column's points and has at most two decimals", () => {
    fc.assert(
      fc.property(anyPolicy, anyStatuses, (given, statuses) => {
        const { score } = gradeOf(given, statuses);
        if (score === null) return;
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(given.points);
        expect(String(score)).toMatch(/^\d+(\.\d{1,2})?$/);
      }),
    );
  });

  test("an excused session changes nothing when excused is left out", () => {
    fc.assert(
      fc.property(anyPolicy, anyStatuses, (given, statuses) => {
        const leftOut = { ...given, credit: { ...given.credit, EXCUSED: null } };
        expect(gradeOf(leftOut, [...statuses, "EXCUSED"])).toEqual(gradeOf(leftOut, statuses));
      }),
    );
  });

  test("one more session attended never lowers the score", () => {
    fc.assert(
      fc.property(anyPolicy, anyStatuses, (given, statuses) => {
        const full = { ...given, credit: { ...given.credit, PRESENT: 100 } };
        const before = gradeOf(full, statuses).score ?? 0;
        expect(gradeOf(full, [...statuses, "PRESENT"]).score).toBeGreaterThanOrEqual(before);
      }),
    );
  });

  test("every status is either counted, left out by the policy, or named as uncounted", () => {
    fc.assert(
      fc.property(anyPolicy, anyStatuses, (given, statuses) => {
        const unknown = statuses.filter((status) => status === "LEFT_EARLY");
        expect(gradeOf(given, statuses).uncounted).toEqual(unknown);
      }),
    );
  });
});
