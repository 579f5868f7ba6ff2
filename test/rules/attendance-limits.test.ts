import { describe, expect, test } from "vitest";
import { type AttendanceLimit, limitKey } from "../../src/domain/course.ts";
import { isReached, limitFactsOf, statusesInOrder } from "../../src/modules/attendance/rules/limits.ts";
import { courseAnswers, readCourseOptions } from "../../src/settings/forms.ts";
import { firstValues } from "../../src/settings/in-effect.ts";

const letters = { P: "PRESENT", L: "LATE", A: "ABSENT", E: "EXCUSED", X: "LEFT" } as const;
const statuses = (text: string) =>
  text.split("").flatMap((letter) => Object.entries(letters).find(([one]) => one === letter)?.[1] ?? []);
const limit = (kind: AttendanceLimit["kind"], number: number): AttendanceLimit => ({
  kind,
  number,
  label: "a limit",
});

test.each([
  ["", limit("absences", 1), false],
  ["PAPA", limit("absences", 2), true],
  ["PAPA", limit("absences", 3), false],
  ["EEE", limit("absences", 1), false],
  ["AAPA", limit("row", 2), true],
  ["APAPA", limit("row", 2), false],
  ["AEA", limit("row", 2), true],
  ["AXA", limit("row", 2), true],
  ["AAPPPP", limit("row", 2), true],
  ["ALA", limit("row", 2), false],
  ["PPPA", limit("below", 80), true],
  ["PPPA", limit("below", 75), false],
  ["PPPPPPPPA", limit("below", 89), false],
  [`${"P".repeat(23)}${"A".repeat(17)}`, limit("below", 58), false],
  ["AA", limit("below", 85), false],
  ["EEEE", limit("below", 85), false],
])("after %s, %j is reached: %s", (text, of, reached) =>
  expect(isReached(of, limitFactsOf(statuses(text)))).toBe(reached),
);

test("looks at sessions in the order they were held, without those that don't count", () => {
  const session = (eventId: string, counts = true) => ({ eventId, counts });
  const counted = [
    { eventId: "a", status: "ABSENT" },
    { eventId: "b", status: "PRESENT" },
    { eventId: "c", status: null },
    { eventId: "d", status: "LATE" },
    { eventId: "unknown", status: "EXCUSED" },
  ];
  const latestFirst = [session("b"), session("c"), session("d", false), session("a")];
  expect(statusesInOrder(latestFirst, counted)).toEqual(["EXCUSED", "ABSENT", "PRESENT"]);
});

describe("an institution's limits in a form", () => {
  const limits = {
    list: [
      { kind: "absences" as const, number: 3, label: "3 absences" },
      { kind: "below" as const, number: 85, label: "Below 85 %" },
    ],
    mail: true,
  };
  const values = { ...firstValues, doorTimes: firstValues.door, limits };
  const form = courseAnswers(values);

  test("come back unchanged", () => {
    const problems = {};
    expect(readCourseOptions(["limits"], form, problems)).toEqual({ limits });
    expect(problems).toEqual({});
  });

  test.each([
    [{ limit1Number: "0" }, { limit1Number: "limit" }],
    [{ limit1Number: "101" }, { limit1Number: "limit" }],
    [{ limit1Number: "many" }, { limit1Number: "limit" }],
    [{ limit2Label: " \u200b" }, { limit2Label: "label" }],
    [{ limit3Kind: "row" }, { limit3Number: "limit", limit3Label: "label" }],
    [{ limit1Kind: "weekly" }, { limit1Kind: "choose" }],
    [{ limitMail: "" }, { limitMail: "choose" }],
  ])("%j is refused", (change, expected) => {
    const problems = {};
    expect(readCourseOptions(["limits"], { ...form, ...change }, problems)).toEqual({});
    expect(problems).toEqual(expected);
  });

  test.each(["1", "100"])("%s is taken", (number) => {
    const { limits } = readCourseOptions(["limits"], { ...form, limit1Number: number });
    expect(limits?.list[0]?.number).toBe(Number(number));
  });

  test("ignores the rows after “none”, and reads Arabic digits", () => {
    const typed = { ...form, limit1Number: "٤", limit2Kind: "none", limit2Number: "x" };
    expect(readCourseOptions(["limits"], typed)).toEqual({
      limits: { list: [{ kind: "absences", number: 4, label: "3 absences" }], mail: true },
    });
  });

  test("a limit with another label stays the same limit, with another number it does not", () => {
    expect(limitKey({ kind: "row", number: 3 })).toBe("row-3");
    expect(limitKey({ kind: "row", number: 2 })).not.toBe("row-3");
  });
});
