import { wasEmptied } from "../../src/modules/grading/rules/compare-with-gradebook.ts";
import { describe, expect, test } from "vitest";
import { holdOf } from "../../src/modules/grading/rules/delivery.ts";

const term = {
  gradesUntil: "2026-12-18",
  gradesRelease: "self" as const,
  timeZone: "America/New_York",
  createdAt: Date.UTC(2026, 8, 1),
};
const ended = { why: "ended", day: "2026-12-18" };
const at = (text: string) => Date.parse(text);

describe("Grades of a course wait for an instructor", () => {
  test.each([
    ["not before the last day is over in the course's time zone", {}, "2026-12-19T04:59:59Z", null],
    ["from the midnight after it", {}, "2026-12-19T05:00:00Z", ended],
    ["by UTC if the course has no time zone", { timeZone: null }, "2026-12-19T00:00:00Z", ended],
    ["not any longer after the clock was set back", {}, "2026-12-18T12:00:00Z", null],
    [
      "in a course that began on the last day",
      { createdAt: at("2026-12-19T04:00:00Z") },
      "2026-12-20T12:00:00Z",
      ended,
    ],
    [
      "not in a course that began later: the day belongs to an earlier term",
      { createdAt: at("2026-12-19T05:00:00Z") },
      "2027-02-01T12:00:00Z",
      null,
    ],
    [
      "not in a course whose new term began later",
      { countsFrom: at("2027-01-10T05:00:00Z") },
      "2027-02-01T12:00:00Z",
      null,
    ],
    ["never without a last day", { gradesUntil: "" }, "2030-01-01T00:00:00Z", null],
    [
      "always if instructors release them",
      { gradesUntil: "", gradesRelease: "hand" as const },
      "2026-10-01T00:00:00Z",
      { why: "hand" },
    ],
    [
      "and the reason is the end if both apply",
      { gradesRelease: "hand" as const },
      "2027-01-01T00:00:00Z",
      ended,
    ],
  ])("%s", (_what, change, now, hold) => {
    expect(holdOf({ ...term, ...change }, at(now))).toEqual(hold);
  });
});

test.each([
  { sent: "nothing since", unconfirmed: [], emptied: true },
  { sent: "another grade", unconfirmed: [60], emptied: true },
  { sent: "no grade any more", unconfirmed: [null], emptied: false },
  { sent: "0, which some gradebooks don't show", unconfirmed: [0], emptied: false },
])("a gradebook without the only grade, after $sent and no answer, was emptied: $emptied", (row) => {
  const scoreOf = (score: number | null) => ({ score, maximum: 100, comment: null });
  const one = { sub: "900", accepted: scoreOf(100), unconfirmed: row.unconfirmed.map(scoreOf) };
  expect(wasEmptied([one], [])).toBe(row.emptied);
});
