import { describe, expect, test } from "vitest";
import {
  absent,
  isClear,
  suggestionsFrom,
  type Visit,
} from "../../src/modules/unplanned/rules/found-class.ts";
import {
  currentAttendanceOf,
  withObservation,
  withSuggestion,
  type AttendanceObservation,
} from "../../src/domain/attendance.ts";

const minute = 60_000;
/** A class of 100 minutes, from 0. */
const held = { startsAt: 0, endsAt: 100 * minute };
const rule = { presentFrom: 50, lateAfter: 10 };
const stay = (from: number, to: number, more: Partial<Visit> = {}): Visit => ({
  who: "ada",
  role: "learner",
  from: from * minute,
  to: to * minute,
  open: null,
  ...more,
});
const suggested = (visits: readonly Visit[], by = rule) => {
  const one = suggestionsFrom(visits, held, by).get("ada");
  return one === undefined ? "nothing" : `${one.status} ${one.seen.ms / minute}`;
};

describe("what somebody's time in a class suggests", () => {
  test.each<[string, Visit[], string]>([
    ["the whole class", [stay(0, 100)], "PRESENT 100"],
    ["half of it", [stay(0, 50)], "PRESENT 50"],
    ["a minute less than half", [stay(0, 49)], "ABSENT 49"],
    ["ten minutes late", [stay(10, 100)], "PRESENT 90"],
    ["eleven minutes late", [stay(11, 100)], "LATE 89"],
    ["late, and too short", [stay(60, 100)], "ABSENT 40"],
    ["from before it until after it", [stay(-30, 200)], "PRESENT 100"],
    ["several stays are added up", [stay(0, 30), stay(60, 90)], "PRESENT 60"],
    ["two tabs are not", [stay(0, 30), stay(0, 30)], "ABSENT 30"],
    ["only before it", [stay(-30, -10)], "nothing"],
    ["a teacher gets no attendance", [stay(0, 100, { role: "staff" })], "nothing"],
  ])("%s", (_what, visits, expected) => expect(suggested(visits)).toBe(expected));

  test("uses the course's limits", () => {
    expect(suggested([stay(0, 30)], { presentFrom: 30, lateAfter: 10 })).toBe("PRESENT 30");
    expect(suggested([stay(5, 100)], { presentFrom: 50, lateAfter: 3 })).toBe("LATE 95");
  });

  test("stores as evidence when they were there, and whether leaving was not reported", () => {
    const seen = suggestionsFrom(
      [stay(2, 40), stay(50, 300, { open: { heardAt: 50 * minute, latest: 300 * minute } })],
      held,
      rule,
    ).get("ada")?.seen;
    expect(seen).toEqual({
      ...held,
      ms: 88 * minute,
      leftUnknown: true,
      stays: [
        { from: 2 * minute, to: 40 * minute },
        { from: 50 * minute, to: 100 * minute },
      ],
    });
    expect(absent(held)).toEqual({ status: "ABSENT", seen: { ...held, ms: 0, stays: [] } });
  });
});

describe('the rule "always" answers for an instructor only if the class fits its register', () => {
  const names = ["ada", "ben", "cem", "dan", "eve"];
  const there = (...minutes: number[]) =>
    minutes.map((to, at) => stay(0, to, { who: names[at] ?? `one ${at}` }));
  const staff = { led: "staff", learners: 3 } as const;
  test.each([
    ["everybody was there throughout", there(100, 100, 100), 3, staff, true],
    ["one of four missing", there(100, 100, 100), 4, staff, true],
    ["half of the register missing", there(100, 100, 100), 6, staff, false],
    ["three of five left long before its end", there(12, 12, 12, 100, 100), 6, staff, false],
    [
      "a third of those who came were late",
      [...there(100, 100), stay(20, 100, { who: "cem" })],
      3,
      staff,
      true,
    ],
    [
      "two thirds of those who came were late",
      [...there(100), stay(20, 100, { who: "ben" }), stay(20, 100, { who: "cem" })],
      3,
      staff,
      false,
    ],
    ["two only looked in", there(100, 100, 1, 1), 3, staff, true],
    ["one of four, of six, stayed too short", there(100, 100, 100, 12), 6, staff, false],
    ["a stranger held it", there(100, 100, 100), 3, { ...staff, led: "stranger" as const }, false],
    ["it had one learner only", there(100), 1, { ...staff, learners: 1 }, false],
  ])("%s", (_what, visits, register, found, clear) => {
    expect(isClear(found, suggestionsFrom(visits, held, rule).values(), register)).toBe(clear);
  });
});

describe("anybody's word overrides a suggestion", () => {
  const suggestion: AttendanceObservation = {
    status: "ABSENT",
    notes: null,
    at: 5_000,
    updatedBy: null,
    as: "presence",
    seen: absent(held).seen,
  };
  const told: AttendanceObservation = { status: "LATE", notes: null, at: 1_000, updatedBy: "host" };
  const marked = { status: "EXCUSED", notes: null, reason: null, by: "teacher", at: 1 } as const;

  test("a suggestion counts if nothing else is known", () => {
    expect(currentAttendanceOf({ history: [suggestion], corrections: [] })).toMatchObject({
      status: "ABSENT",
      source: "presence",
      seen: { ms: 0 },
    });
  });
  test("a status of the classroom overrides it, even an older one, and one of the host user", () => {
    const both = withObservation([suggestion], told);
    expect(currentAttendanceOf({ history: both, corrections: [] })).toMatchObject({
      status: "LATE",
      source: "classroom",
    });
    const host = withObservation([suggestion], { ...told, as: "host" });
    expect(currentAttendanceOf({ history: host, corrections: [] })).toMatchObject({
      status: "LATE",
      source: "classroom",
    });
  });
  test("a person's mark overrides it", () => {
    const current = currentAttendanceOf({ history: [suggestion], corrections: [{ ...marked, at: 6_000 }] });
    expect(current).toMatchObject({ status: "EXCUSED", source: "instructor", conflicting: null });
  });
  test("a later one replaces it, the same one changes nothing, and it can be withdrawn", () => {
    const history = withSuggestion([told], suggestion);
    expect(history).toHaveLength(2);
    expect(withSuggestion(history, structuredClone(suggestion))).toBe(history);
    const later = { ...suggestion, status: "PRESENT" };
    expect(withSuggestion(history, later).filter(({ as }) => as === "presence")).toEqual([later]);
    expect(withSuggestion(history, null)).toEqual([told]);
    const plain = [told];
    expect(withSuggestion(plain, null)).toBe(plain);
  });
});
