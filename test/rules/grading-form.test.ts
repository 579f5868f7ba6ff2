import fc from "fast-check";
import { anyCompletion, anyMinutesWorth } from "../support/any-policy.ts";
import { describe, expect, test } from "vitest";
import { defaultGradePolicy, type GradePolicy } from "../../src/domain/grade-policy.ts";
import {
  afterConflict,
  formOfPolicy,
  formOfText,
  policyFormOfPosted,
  policyOfForm,
} from "../../src/settings/forms.ts";
import { policyFields, type PolicyForm } from "../../src/settings/policy-options.ts";

const form = formOfPolicy(defaultGradePolicy);

describe("the form for grading", () => {
  test("with its first values gives the default policy", () => {
    expect(policyOfForm(form)).toEqual({ policy: defaultGradePolicy, problems: null });
  });

  test("gives back every policy that an instructor can choose", () => {
    const percent = fc.integer({ min: 0, max: 100 });
    const anyPolicy = fc
      .record({
        kind: fc.constantFrom("one-column" as const, "column-per-session" as const),
        points: fc.integer({ min: 1, max: 100 }),
        credits: fc.array(percent, { minLength: 3, maxLength: 3 }).map((list) => list.sort((a, b) => b - a)),
        excused: fc.option(percent, { nil: null }),
        worth: fc.oneof(fc.constant({ kind: "status" as const }), anyMinutesWorth),
        comment: fc.boolean(),
        denominator: fc.oneof(
          fc.constantFrom({ kind: "so-far" as const }, { kind: "planned" as const }),
          fc.integer({ min: 10, max: 1000 }).map((sessions) => ({ kind: "fixed" as const, sessions })),
        ),
        dropLowest: fc.integer({ min: 0, max: 9 }),
        minimumSessions: fc.integer({ min: 1, max: 100 }),
        formula: fc.oneof(
          fc.constant({ kind: "mean" as const }),
          fc.record({
            kind: fc.constantFrom("gate" as const, "pass-fail" as const, "points-off" as const),
            percent: fc.integer({ min: 1, max: 100 }),
          }),
        ),
        completion: anyCompletion(1000),
      })
      .map(({ credits, excused, ...rest }): GradePolicy => {
        const [present = 0, late = 0, absent = 0] = credits;
        const EXCUSED = excused === null ? null : Math.min(excused, present);
        return { ...rest, credit: { PRESENT: present, LATE: late, ABSENT: absent, EXCUSED } };
      });
    fc.assert(
      fc.property(anyPolicy, (policy) => {
        expect(policyOfForm(formOfPolicy(policy))).toEqual({ policy, problems: null });
      }),
    );
  });

  test("without grades ignores the fields it hides", () => {
    expect(policyOfForm({ ...form, kind: "no-grades", points: "many", LATE: "" }).policy).toEqual({
      kind: "no-grades",
    });
  });

  test("for columns of single sessions ignores the fields it does not use", () => {
    const typed = { ...form, kind: "column-per-session", dropLowest: "some", fixedSessions: "none" };
    expect(policyOfForm(typed).policy).toEqual({ ...defaultGradePolicy, kind: "column-per-session" });
  });

  test.each<[string, Partial<PolicyForm>, object]>([
    ["no kind", { kind: "" }, { kind: "choose" }],
    ["an invented kind", { kind: "curve" }, { kind: "choose" }],
    ["no points", { points: "" }, { points: "whole" }],
    ["points as a word", { points: "ten" }, { points: "whole" }],
    ["more points than every LMS accepts", { points: "101" }, { points: "whole" }],
    ["0 points", { points: "0" }, { points: "whole" }],
    ["half a percent", { LATE: "80.5" }, { LATE: "percent" }],
    ["a negative percent", { ABSENT: "-1" }, { ABSENT: "percent" }],
    ["an empty percentage without “left out”", { LATE: "" }, { LATE: "percent" }],
    ["PRESENT left out", { leftOut: "PRESENT EXCUSED" }, { PRESENT: "presentCounts" }],
    ["late worth more than present", { PRESENT: "50" }, { LATE: "abovePresent" }],
    ["absent worth more than late", { ABSENT: "90" }, { ABSENT: "aboveLate" }],
    [
      "excused worth more than present",
      { PRESENT: "90", EXCUSED: "100", leftOut: "" },
      { EXCUSED: "abovePresent" },
    ],
    ["no denominator", { denominator: "" }, { denominator: "choose" }],
    ["a missing fixed number", { denominator: "fixed" }, { fixedSessions: "whole" }],
    ["a fixed number of 0", { denominator: "fixed", fixedSessions: "0" }, { fixedSessions: "whole" }],
    ["too many dropped", { dropLowest: "101" }, { dropLowest: "whole" }],
    [
      "all sessions dropped",
      { denominator: "fixed", fixedSessions: "3", dropLowest: "3" },
      { dropLowest: "dropAll" },
    ],
    ["a minimum of 0 sessions", { minimumSessions: "0" }, { minimumSessions: "whole" }],
    ["an invented way to count a session", { worth: "mood" }, { worth: "choose" }],
    ["full credit from 0 %", { worth: "minutes", fullFrom: "0" }, { fullFrom: "whole" }],
    ["full credit from more than 100 %", { worth: "minutes", fullFrom: "101" }, { fullFrom: "whole" }],
    ["half minutes", { worth: "minutes", tolerance: "2.5" }, { tolerance: "whole" }],
    ["a tolerance of more than an hour", { worth: "minutes", tolerance: "61" }, { tolerance: "whole" }],
    ["an invented answer below the share", { worth: "minutes", below: "half" }, { below: "choose" }],
    [
      "an invented answer about other tabs",
      { worth: "minutes", hiddenMinutes: "doubled" },
      { hiddenMinutes: "choose" },
    ],
    ["an invented formula", { formula: "median" }, { formula: "choose" }],
    ["pass or fail at 0 %", { formula: "pass-fail", neededPercent: "0" }, { neededPercent: "whole" }],
    ["an empty minimum share", { formula: "gate" }, { neededPercent: "whole" }],
    ["more than 100 % off", { formula: "points-off", offPercent: "101" }, { offPercent: "whole" }],
    ["an invented way to complete", { completion: "luck" }, { completion: "choose" }],
    [
      "completion after a missing number",
      { completion: "sessions", completedSessions: "" },
      { completedSessions: "whole" },
    ],
    [
      "completion after 0 sessions",
      { completion: "sessions", completedSessions: "0" },
      { completedSessions: "whole" },
    ],
    [
      "completion after more than 100 %",
      { completion: "share", completedPercent: "101" },
      { completedPercent: "whole" },
    ],
    [
      "an invented answer about grades before completion",
      { completion: "sessions", completedSessions: "3", beforeCompletion: "hidden" },
      { beforeCompletion: "choose" },
    ],
    ["an invented answer about the comment", { comment: "maybe" }, { comment: "choose" }],
    ["two problems at once", { points: "", LATE: "x" }, { points: "whole", LATE: "percent" }],
  ])("says what is wrong with %s", (_what, typed, problems) => {
    expect(policyOfForm({ ...form, ...typed })).toEqual({ policy: null, problems });
  });

  test.each([
    ["80 %", 80],
    [" 80", 80],
    ["080%", 80],
    ["٨٠٪", 80],
  ])("reads %j as a percentage", (typed, percent) => {
    expect(policyOfForm({ ...form, LATE: typed }).policy).toMatchObject({ credit: { LATE: percent } });
  });

  test("allows leaving out late and absent sessions", () => {
    expect(policyOfForm({ ...form, leftOut: "LATE ABSENT EXCUSED", LATE: "", ABSENT: "" }).policy).toEqual({
      ...defaultGradePolicy,
      credit: { PRESENT: 100, LATE: null, ABSENT: null, EXCUSED: null },
    });
  });
});

describe("what is posted", () => {
  test("is read field by field, with the ticked statuses in one order", () => {
    const posted = { ...form, leftOut: ["EXCUSED", "LATE", "nonsense"], other: "x" };
    expect(policyFormOfPosted(posted)).toEqual({ ...form, leftOut: "LATE EXCUSED" });
    expect(policyFormOfPosted({ ...form, leftOut: "EXCUSED" })).toEqual(form);
  });

  test.each([[null], ["text"], [{ points: ["1", "2"] }], [{ points: "9".repeat(400) }]])(
    "is an empty form when it is %j",
    (body) => expect(policyFormOfPosted(body).points).toBe(""),
  );

  test("comes back from the page unchanged, and is ignored if it was tampered with", () => {
    expect(formOfText(policyFields, JSON.stringify(form))).toEqual(form);
    for (const text of ["", "{", "[]", JSON.stringify({ points: 1 }), "x".repeat(20_000), undefined])
      expect(formOfText(policyFields, text)).toBeNull();
  });
});

describe("two instructors who edit at the same time", () => {
  const now = { ...form, LATE: "50", points: "10" };

  test("keeps what only the other one changed, and leaves as typed what both changed", () => {
    const typed = { ...form, points: "20", dropLowest: "1" };
    expect(afterConflict(policyFields, form, typed, now)).toEqual({
      form: { ...form, LATE: "50", points: "20", dropLowest: "1" },
      changes: [
        { field: "points", was: "100", now: "10" },
        { field: "LATE", was: "80", now: "50" },
      ],
    });
  });

  test("loses nothing that was typed when the values shown before are unknown", () => {
    const typed = { ...form, points: "20" };
    expect(afterConflict(policyFields, null, typed, now)).toEqual({ form: typed, changes: [] });
  });
});
