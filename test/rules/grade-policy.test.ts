import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createTranslator } from "../../src/web/translate.ts";
import { catalogues } from "../support/catalogues.ts";
import { anyCompletion, anyMinutesWorth } from "../support/any-policy.ts";
import { type OneColumn, oneColumn, statusesOf } from "../support/one-column.ts";
import type { MinutesWorth } from "../../src/domain/grade-working.ts";
import { knownStatuses } from "../../src/domain/attendance.ts";
import {
  commentOf,
  defaultGradePolicy,
  type Denominator,
  type GradedSession,
  gradeOf as gradeOfSessions,
  gradeOfSession,
  type GradePolicy,
  isCompleted,
  ruleDefaults,
} from "../../src/domain/grade-policy.ts";

function times(count: number, status: string): string[] {
  return Array.from({ length: count }, () => status);
}

/** A session as its status, or with minutes. */
type Told = string | GradedSession;

function sessionsOf(told: readonly Told[]): GradedSession[] {
  return told.map((one) => (typeof one === "string" ? { status: one } : one));
}

function gradeOf(given: GradePolicy, told: readonly Told[], planned: number) {
  return gradeOfSessions(given, sessionsOf(told), planned);
}

/** The grade when only the held sessions were planned. */
function held(given: GradePolicy, statuses: readonly Told[]) {
  return gradeOf(given, statuses, statuses.length);
}

const translatorOf = createTranslator();

/** The comment for that grade. */
function commentIn(given: GradePolicy, statuses: readonly Told[], planned: number): string {
  return commentOf(given, gradeOf(given, statuses, planned), translatorOf);
}

describe("a grade under the default policy", () => {
  test.each([
    ["nothing held yet", "", null, "No session counts yet."],
    ["always present", "PP", 100, "2x100 / 2 = 100"],
    ["twice present and once late", "PLP", 93.33, "(2x100 + 1x80) / 3 = 93.33"],
    ["never present", "AA", 0, "2x0 / 2 = 0"],
    ["once present and once absent", "AP", 50, "(1x100 + 1x0) / 2 = 50"],
    ["one of everything", "PLAE", 60, "(1x100 + 1x80 + 1x0) / 3 = 60"],
    ["excused once", "PE", 100, "1x100 / 1 = 100"],
    ["only excused", "EE", null, "No session counts yet."],
  ])("%s", (_who, initials, score, explanation) => {
    expect(held(defaultGradePolicy, statusesOf(initials))).toMatchObject({
      score,
      explanation,
      uncounted: [],
    });
  });

  test("never counts an undocumented status, and names it", () => {
    expect(held(defaultGradePolicy, ["PRESENT", "LEFT_EARLY", "present", "LEFT_EARLY"])).toMatchObject({
      score: 100,
      explanation: "1x100 / 1 = 100",
      uncounted: ["LEFT_EARLY", "present", "LEFT_EARLY"],
      working: { counted: 1, uncounted: 3 },
    });
  });

  test("is missing, not zero, when every status is unknown", () => {
    expect(held(defaultGradePolicy, ["LEFT_EARLY"])).toMatchObject({
      score: null,
      explanation: "No session counts yet.",
      uncounted: ["LEFT_EARLY"],
    });
  });

  test("does not depend on planned sessions", () => {
    expect(gradeOf(defaultGradePolicy, statusesOf("PPL"), 30).score).toBe(93.33);
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
    expect(held(oneColumn({ points }), statuses).score).toBe(score);
  });

  test("happens once, at the end: the exact parts are added up, not the rounded ones", () => {
    const thirds = oneColumn({ points: 1, credit: { PRESENT: 100, LATE: 33, ABSENT: 0, EXCUSED: null } });
    expect(held(thirds, times(3, "LATE"))).toMatchObject({ score: 0.33, explanation: "3x0.33 / 3 = 0.33" });
  });
});

describe("a course's own policy", () => {
  test("gives no score when the course gives no grades", () => {
    expect(held({ kind: "no-grades" }, ["PRESENT"])).toMatchObject({
      score: null,
      explanation: "This course isn’t graded.",
      working: null,
    });
  });

  test("explains in the column's own points", () => {
    expect(held(oneColumn({ points: 10 }), statusesOf("PPL"))).toMatchObject({
      score: 9.33,
      explanation: "(2x10 + 1x8) / 3 = 9.33",
    });
  });

  test("may give credit for excused sessions", () => {
    const credit = { PRESENT: 100, LATE: 80, ABSENT: 0, EXCUSED: 100 };
    expect(held(oneColumn({ credit }), statusesOf("EA")).score).toBe(50);
  });

  test("may leave absences out", () => {
    const credit = { PRESENT: 100, LATE: 80, ABSENT: null, EXCUSED: null };
    expect(held(oneColumn({ credit }), statusesOf("LA")).score).toBe(80);
  });

  test("puts statuses with equal credit into one term", () => {
    const credit = { PRESENT: 100, LATE: 100, ABSENT: 0, EXCUSED: null };
    expect(held(oneColumn({ credit }), statusesOf("PLA")).explanation).toBe("(2x100 + 1x0) / 3 = 66.67");
  });
});

const planned = { denominator: { kind: "planned" } } as const;
const fixed = (sessions: number) => ({ denominator: { kind: "fixed", sessions } }) as const;
const gate = (percent: number) => ({ formula: { kind: "gate", percent } }) as const;
const passFail = (percent: number) => ({ formula: { kind: "pass-fail", percent } }) as const;
const pointsOff = (percent: number) => ({ formula: { kind: "points-off", percent } }) as const;

describe("combined options", () => {
  test.each<[string, Partial<OneColumn>, string, number, number | null, string]>([
    // The divisor
    ["planned: future sessions earn nothing yet", planned, "PPL", 10, 28, "(2x100 + 1x80) / 10"],
    ["planned: an excused session is left out", planned, "PPE", 10, 22.22, "2x100 / 9"],
    ["planned: so is one of unknown status", planned, "PP?", 10, 22.22, "2x100 / 9"],
    ["planned: an unmarked session earns nothing", planned, "PP", 3, 66.67, "2x100 / 3"],
    ["planned: more held than planned", planned, "PPA", 1, 66.67, "(2x100 + 1x0) / 3"],
    ["fixed: the number that is set", fixed(8), "PPPP", 30, 50, "4x100 / 8"],
    ["fixed: an excused session lowers it", fixed(8), "PPPPE", 30, 57.14, "4x100 / 7"],
    ["fixed: more sessions count than that", fixed(2), "PPPA", 30, 75, "(3x100 + 1x0) / 4"],
    ["fixed: more are excused than that", fixed(2), "PAEEEE", 30, 50, "(1x100 + 1x0) / 2"],
    // Dropped sessions
    ["drop: the worst goes", { dropLowest: 1 }, "PLA", 3, 90, "(1x100 + 1x80) / 2"],
    ["drop: two worst go", { dropLowest: 2 }, "PLA", 3, 100, "1x100 / 1"],
    ["drop: never the last", { dropLowest: 5 }, "AL", 2, 80, "1x80 / 1"],
    ["drop: the only one stays", { dropLowest: 1 }, "A", 1, 0, "1x0 / 1"],
    ["drop: excused sessions do not count as dropped", { dropLowest: 1 }, "PAEE", 4, 100, "1x100 / 1"],
    ["drop and planned: at the end", { dropLowest: 1, ...planned }, "PPA", 3, 100, "2x100 / 2"],
    [
      "drop and planned: future sessions are dropped before attended ones",
      { dropLowest: 1, ...planned },
      "PL",
      4,
      60,
      "(1x100 + 1x80) / 3",
    ],
    ["drop and fixed", { dropLowest: 2, ...fixed(5) }, "PPA", 9, 66.67, "(2x100 + 1x0) / 3"],
    ["drop and planned: more than exist", { dropLowest: 9, ...planned }, "PA", 4, 100, "1x100 / 1"],
    // From when there is a grade
    [
      "minimum: too few",
      { minimumSessions: 3 },
      "PP",
      2,
      null,
      "2 sessions count so far; there is a grade from 3 on.",
    ],
    [
      "minimum: one",
      { minimumSessions: 2 },
      "P",
      1,
      null,
      "1 session counts so far; there is a grade from 2 on.",
    ],
    ["minimum: excused does not help", { minimumSessions: 2 }, "PEE", 3, null, "1 session counts so far"],
    ["minimum: enough", { minimumSessions: 3 }, "PPA", 3, 66.67, "(2x100 + 1x0) / 3"],
    ["minimum: before dropping", { minimumSessions: 2, dropLowest: 1 }, "PA", 2, 100, "1x100 / 1"],
    ["a minimum of 0 means 1", { minimumSessions: 0 }, "", 0, null, "No session counts yet."],
    ["planned: nothing held yet", planned, "", 10, null, "No session counts yet."],
  ])("%s", (_what, change, initials, sessions, score, explanation) => {
    const grade = gradeOf(oneColumn(change), statusesOf(initials), sessions);
    expect(grade.score).toBe(score);
    expect(grade.explanation.startsWith(explanation)).toBe(true);
  });

  test.each<[string, Partial<OneColumn>, string, number | null, string]>([
    ["minimum share: reached", gate(75), "PPPA", 75, "(3x100 + 1x0) / 4 = 75 ≥ 75: 75"],
    ["minimum share: not reached", gate(75), "PPA", 0, "(2x100 + 1x0) / 3 = 66.66 < 75: 0"],
    [
      "minimum share: missed by less than is displayed",
      { points: 1, ...gate(67) },
      "PPA",
      0,
      "(2x1 + 1x0) / 3 = 0.66 < 0.67: 0",
    ],
    ["minimum share: nothing held yet", gate(75), "", null, "No session counts yet."],
    ["minimum share: of all planned", { ...gate(50), ...planned }, "PP", 50, "2x100 / 4 = 50 ≥ 50: 50"],
    ["pass or fail: passed", passFail(60), "PPA", 100, "(2x100 + 1x0) / 3 = 66.67 ≥ 60: 100"],
    ["pass or fail: failed", passFail(70), "PPA", 0, "(2x100 + 1x0) / 3 = 66.66 < 70: 0"],
    [
      "pass or fail: the worst dropped",
      { ...passFail(100), dropLowest: 1 },
      "PPA",
      100,
      "2x100 / 2 = 100 ≥ 100: 100",
    ],
    ["points off: never absent", pointsOff(5), "PPP", 100, "100 = 100"],
    ["points off: two absences and one late", pointsOff(5), "PPAAL", 89, "100 - 1x1 - 2x5 = 89"],
    ["points off: of ten points", { points: 10, ...pointsOff(5) }, "PAL", 9.4, "10 - 1x0.1 - 1x0.5 = 9.4"],
    ["points off: excused costs nothing", pointsOff(5), "PEE", 100, "100 = 100"],
    ["points off: the first two are free", { ...pointsOff(5), dropLowest: 2 }, "AAAP", 95, "100 - 1x5 = 95"],
    ["points off: all so far are free", { ...pointsOff(5), dropLowest: 2 }, "A", 100, "100 = 100"],
    ["points off: future sessions cost nothing", { ...pointsOff(5), ...planned }, "A", 95, "100 - 1x5 = 95"],
    ["points off: all of them", pointsOff(50), "AA", 0, "100 - 2x50 = 0"],
    ["points off: more than the maximum", pointsOff(50), "AAA", 0, "100 - 3x50 < 0: 0"],
    [
      "points off: too few sessions count",
      { ...pointsOff(5), minimumSessions: 2 },
      "A",
      null,
      "1 session counts so far; there is a grade from 2 on.",
    ],
  ])("%s", (_what, change, initials, score, explanation) => {
    const grade = gradeOf(oneColumn(change), statusesOf(initials), 4);
    expect(grade.score).toBe(score);
    expect(grade.explanation).toBe(explanation);
  });

  test("list part by part how a score is computed", () => {
    const given = oneColumn({ points: 50, dropLowest: 3, ...planned });
    expect(gradeOf(given, statusesOf("PPLAEE?"), 8).working).toEqual({
      terms: [
        { status: "PRESENT", credit: 100, points: 50, count: 2, dropped: 0 },
        { status: "LATE", credit: 80, points: 40, count: 1, dropped: 1 },
        { status: "ABSENT", credit: 0, points: 0, count: 1, dropped: 1 },
      ],
      counted: 4,
      leftOut: [{ status: "EXCUSED", count: 2 }],
      uncounted: 1,
      divisor: { sessions: 2, basis: "planned", of: 8, without: 3, dropped: 3, open: 0 },
      minimum: 1,
      completion: null,
      noScore: null,
      formula: { kind: "mean" },
    });
  });

  test.each<[string, Partial<OneColumn>, string, number, string]>([
    ["all sessions", {}, "PPL", 3, "3 sessions: 2 present, 1 late: (2x100 + 1x80) / 3 = 93.33 of 100"],
    ["one session", { points: 10 }, "P", 1, "1 session: 1 present: 1x10 / 1 = 10 of 10"],
    [
      "every option",
      { dropLowest: 1, ...planned },
      "PPLE?",
      10,
      "3 of 10 planned sessions: 2 present, 1 late; 1 excused, 1 unknown left out; 1 lowest dropped: (2x100 + 1x80) / 7 = 40 of 100",
    ],
    [
      "a share that is needed",
      gate(75),
      "PPA",
      3,
      "3 sessions: 2 present, 1 absent: (2x100 + 1x0) / 3 = 66.66 < 75: 0 of 100",
    ],
    ["points off", pointsOff(5), "PA", 2, "2 sessions: 1 present, 1 absent: 100 - 1x5 = 95 of 100"],
    ["fixed", fixed(8), "PP", 10, "2 of 8 sessions: 2 present: 2x100 / 8 = 25 of 100"],
    ["too few", { minimumSessions: 3 }, "PP", 10, "2 of 3 sessions needed for a grade."],
  ])("become one sentence for the comment: %s", (_what, change, initials, sessions, sentence) => {
    expect(commentIn(oneColumn(change), statusesOf(initials), sessions)).toBe(sentence);
  });
});

describe("the comment in the language of the person who switched comments on", () => {
  const all = { dropLowest: 1, ...planned };
  const inLanguage = (commentLanguage: string) =>
    commentIn({ ...oneColumn(all), commentLanguage }, statusesOf("PPLE?"), 10);

  test("has the same content as in English", () => {
    expect(inLanguage("de")).toBe(
      "Geplante Termine: 3/10; anwesend 2, verspätet 1; nicht gewertet: entschuldigt 1, unbekannt 1; schlechteste gestrichen: 1; (2x100 + 1x80) / 7 = 40 / 100",
    );
    expect(commentIn({ ...oneColumn({}), commentLanguage: "fr" }, statusesOf("PPL"), 3)).toBe(
      "Séances\u00a0: 3\u00a0; présence 2, retard 1\u00a0; (2x100 + 1x80) / 3 = 93,33 / 100",
    );
    expect(inLanguage("ar"), "a sum reads from left to right").toMatch(
      /\u2066\(2x100 \+ 1x80\) \/ 7 = 40 \/ 100\u2069$/,
    );
  });

  test("is English for an unknown language, and for policies of earlier versions", () => {
    expect(inLanguage("nl")).toBe(commentIn(oneColumn(all), statusesOf("PPLE?"), 10));
  });

  test.each([...catalogues.keys()])("exists in %s, as on pages, and fits into any gradebook", (language) => {
    const statuses = [...knownStatuses, "LEFT_EARLY"].flatMap((status) => times(999, status));
    const completion = { kind: "share", percent: 100, before: "sent" } as const;
    for (const { formula } of [ruleDefaults, gate(75), passFail(75), pointsOff(75)]) {
      const longest = {
        ...oneColumn({ dropLowest: 4, ...fixed(1_000), formula, completion }),
        commentLanguage: language,
      };
      const worth: MinutesWorth = {
        kind: "minutes",
        fullFrom: 100,
        tolerance: 0,
        below: "share",
        hidden: "counted",
      };
      const timed = statuses.map((status, at) => ({ status, minutes: { present: at % 50, of: 50 } }));
      for (const sentence of [
        commentIn(longest, statuses, 5_000),
        commentIn({ ...longest, worth }, timed, 5_000),
      ]) {
        expect(sentence.length).toBeLessThan(200);
        if (language !== "en") expect(sentence).not.toContain("session");
      }
    }
  });
});

describe("a session's own column", () => {
  const strict = oneColumn({ points: 20, dropLowest: 3, ...fixed(10), minimumSessions: 5, ...passFail(90) });

  test.each([
    ["P", 20],
    ["L", 16],
    ["A", 0],
    ["E", null],
    ["?", null],
    ["", null],
  ])("for %j uses only credit and points of the policy", (initials, score) => {
    expect(gradeOfSession(strict, sessionsOf(statusesOf(initials))).score).toBe(score);
    expect(gradeOf({ ...strict, kind: "column-per-session" }, statusesOf(initials), 30).score).toBe(score);
  });

  test("gets no score when the course gives no grades", () => {
    expect(gradeOfSession({ kind: "no-grades" }, [{ status: "PRESENT" }]).score).toBeNull();
  });
});

describe("a policy by minutes", () => {
  const byMinutes = (change: Partial<MinutesWorth> = {}): MinutesWorth => ({
    kind: "minutes",
    fullFrom: 100,
    tolerance: 0,
    below: "share",
    hidden: "counted",
    ...change,
  });
  const there = (present: number, status = "PRESENT", hidden = 0): GradedSession => ({
    status,
    minutes: { present, of: 50, ...(hidden === 0 ? {} : { hidden }) },
  });

  test.each<[string, Partial<MinutesWorth>, Told[], number, string]>([
    ["the whole session", {}, [there(50)], 100, "1x100 / 1 = 100"],
    ["42 of 50 minutes", {}, [there(42)], 84, "84 / 1 = 84"],
    ["LATE counts by its minutes, too", {}, [there(42, "LATE")], 84, "84 / 1 = 84"],
    ["a share is rounded down", { fullFrom: 90 }, [there(44)], 97, "97 / 1 = 97"],
    ["five missing minutes cost nothing", { tolerance: 5 }, [there(45)], 100, "1x100 / 1 = 100"],
    ["a sixth one does", { tolerance: 5 }, [there(44)], 98, "98 / 1 = 98"],
    ["no more than the length of the session", { tolerance: 5 }, [there(50)], 100, "1x100 / 1 = 100"],
    ["no tolerance for somebody who was not there", { tolerance: 5 }, [there(0)], 0, "0 / 1 = 0"],
    ["full credit from 80 % on", { fullFrom: 80 }, [there(40)], 100, "1x100 / 1 = 100"],
    ["proportional credit below", { fullFrom: 80 }, [there(20)], 50, "50 / 1 = 50"],
    ["no credit below", { fullFrom: 80, below: "nothing" }, [there(39)], 0, "0 / 1 = 0"],
    ["hidden minutes count", {}, [there(50, "PRESENT", 10)], 100, "1x100 / 1 = 100"],
    ["hidden minutes are taken off", { hidden: "taken-off" }, [there(50, "PRESENT", 10)], 80, "80 / 1 = 80"],
    ["unknown minutes: the status counts", {}, ["LATE"], 80, "1x80 / 1 = 80"],
    ["minutes worth as much as the status", {}, [there(40, "LATE")], 80, "1x80 / 1 = 80"],
    [
      "several sessions are added up",
      {},
      ["PRESENT", there(42), there(34), "ABSENT"],
      63,
      "(1x100 + 1x0 + 152) / 4 = 63",
    ],
  ])("%s", (_what, change, told, score, explanation) => {
    const grade = held(oneColumn({ worth: byMinutes(change) }), told);
    expect(grade.explanation).toBe(explanation);
    expect(grade.score).toBe(score);
  });

  test.each<[string, Partial<OneColumn>, number, string]>([
    ["with a minimum share", gate(75), 0, "(1x100 + 42) / 2 = 71 < 75: 0"],
    ["pass or fail", passFail(70), 100, "(1x100 + 42) / 2 = 71 ≥ 70: 100"],
    ["points off for the minutes missed", pointsOff(10), 94.2, "100 - 5.8 = 94.2"],
    ["with the lowest dropped", { dropLowest: 1 }, 100, "1x100 / 1 = 100"],
    ["out of ten points", { points: 10 }, 7.1, "(1x10 + 4.2) / 2 = 7.1"],
  ])("under every formula: %s", (_what, change, score, explanation) => {
    const grade = held(oneColumn({ worth: byMinutes(), ...change }), ["PRESENT", there(21)]);
    expect([grade.score, grade.explanation]).toEqual([score, explanation]);
  });

  test("counts minutes in a session's own column, too", () => {
    expect(gradeOfSession(oneColumn({ worth: byMinutes() }), [there(42)]).score).toBe(84);
  });

  test("attended minutes never score below an absence, and never count a status that is left out", () => {
    const credit = { PRESENT: 100, LATE: null, ABSENT: 30, EXCUSED: null };
    const given = oneColumn({ credit, worth: byMinutes({ fullFrom: 80, below: "nothing" }) });
    expect(held(given, [there(5)]).score).toBe(30);
    expect(held(given, [there(50, "LATE")]).score).toBeNull();
  });

  test("ignores minutes under a policy by status", () => {
    expect(held(oneColumn(), [there(5), there(1, "LATE")]).score).toBe(90);
  });

  test("says in the comment how many sessions counted by minutes", () => {
    const given = oneColumn({ worth: byMinutes() });
    expect(commentIn(given, [there(42), there(34), "LATE"], 3)).toBe(
      "3 sessions: 2 present, 1 late; 2 by minutes: (1x80 + 152) / 3 = 77.33 of 100",
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
    worth: fc.oneof(fc.constant(ruleDefaults.worth), anyMinutesWorth),
    comment: fc.boolean(),
    dropLowest: fc.integer({ min: 0, max: 8 }),
    denominator: fc.oneof(
      fc.constant({ kind: "so-far" as const }),
      fc.constant({ kind: "planned" as const }),
      fc.record({ kind: fc.constant("fixed" as const), sessions: fc.integer({ min: 1, max: 40 }) }),
    ),
    minimumSessions: fc.integer({ min: 1, max: 5 }),
    formula: fc.oneof(
      fc.constant(ruleDefaults.formula),
      fc.record({
        kind: fc.constantFrom("gate" as const, "pass-fail" as const, "points-off" as const),
        percent: fc.integer({ min: 1, max: 100 }),
      }),
    ),
    completion: anyCompletion(8),
  });
  /** PRESENT earns everything, and excused sessions are left out. */
  const fairPolicy = anyPolicy.map((given) => ({
    ...given,
    credit: { ...given.credit, PRESENT: 100, EXCUSED: null },
  }));
  const anyStatuses = fc.array(fc.constantFrom(...knownStatuses, "LEFT_EARLY"), { maxLength: 30 });
  const minutes = fc
    .tuple(fc.integer({ min: 1, max: 200 }), fc.nat({ max: 200 }), fc.nat({ max: 200 }))
    .map(([of, present, hidden]) => {
      const most = Math.min(of, present);
      return { of, present: most, hidden: Math.min(most, hidden) };
    });
  const anySessions = fc.array(
    fc.oneof(
      fc.constantFrom<Told>(...knownStatuses, "LEFT_EARLY"),
      fc.record({ status: fc.constantFrom("PRESENT", "LATE"), minutes }),
    ),
    { maxLength: 30 },
  );
  const toCome = fc.nat({ max: 20 });

  test("the order of sessions changes neither the score nor its explanation", () => {
    const shuffled = anySessions.chain((list) =>
      fc.tuple(
        fc.constant(list),
        fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
      ),
    );
    fc.assert(
      fc.property(anyPolicy, shuffled, toCome, (given, [one, other], more) => {
        expect(gradeOf(given, other, other.length + more)).toEqual(gradeOf(given, one, one.length + more));
      }),
    );
  });

  test("a minute more, or attending instead of being absent, never lowers a score", () => {
    fc.assert(
      fc.property(anyPolicy, anySessions, toCome, minutes, (policyGiven, told, more, known) => {
        const credit = { PRESENT: 100, LATE: 100, ABSENT: policyGiven.credit.ABSENT ?? 0, EXCUSED: null };
        const given = { ...policyGiven, credit };
        const sessions = told.length + 1 + more;
        const scoreWith = (one: Told) => gradeOf(given, [...told, one], sessions).score ?? 0;
        const there = { status: "PRESENT", minutes: known };
        const longer = { ...known, of: known.of, present: Math.min(known.of, known.present + 1) };
        expect(scoreWith({ status: "PRESENT", minutes: longer })).toBeGreaterThanOrEqual(scoreWith(there));
        expect(scoreWith(there)).toBeGreaterThanOrEqual(scoreWith("ABSENT"));
      }),
    );
  });

  test("a score lies between 0 and the column's points and has at most two decimals", () => {
    fc.assert(
      fc.property(anyPolicy, anySessions, fc.nat({ max: 60 }), (given, statuses, sessions) => {
        const { score } = gradeOf(given, statuses, sessions);
        if (score === null) return;
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(given.points);
        expect(String(score)).toMatch(/^\d+(\.\d{1,2})?$/);
      }),
    );
  });

  test("one more excused session changes nothing when excused is left out", () => {
    const scoreOf = (given: GradePolicy, statuses: string[], sessions: number) =>
      gradeOf(given, statuses, sessions).score;
    fc.assert(
      fc.property(fairPolicy, anyStatuses, toCome, (given, statuses, more) => {
        const { denominator } = given;
        // A fixed number does not grow with the session.
        const grown: Denominator =
          denominator.kind === "fixed" ? fixed(denominator.sessions + 1).denominator : denominator;
        const sessions = statuses.length + more;
        expect(scoreOf({ ...given, denominator: grown }, [...statuses, "EXCUSED"], sessions + 1)).toBe(
          scoreOf(given, statuses, sessions),
        );
      }),
    );
  });

  test("being excused instead of absent never lowers the score", () => {
    fc.assert(
      fc.property(fairPolicy, anyStatuses, toCome, (given, statuses, more) => {
        const zero = { ...given, credit: { ...given.credit, ABSENT: 0 }, minimumSessions: 1 };
        const sessions = statuses.length + 1 + more;
        const absent = gradeOf(zero, [...statuses, "ABSENT"], sessions).score ?? 0;
        const excused = gradeOf(zero, [...statuses, "EXCUSED"], sessions).score;
        // Null if nothing else counts, where absence from all would give 0, unless points are only taken off.
        if (excused === null) expect(given.formula.kind === "points-off" ? 0 : absent).toBe(0);
        else expect(excused).toBeGreaterThanOrEqual(absent);
      }),
    );
  });

  test("one more attended session never lowers the score, whether it was planned or not", () => {
    fc.assert(
      fc.property(fairPolicy, anyStatuses, toCome, fc.nat({ max: 1 }), (given, statuses, more, unplanned) => {
        const sessions = statuses.length + more;
        const before = gradeOf(given, statuses, sessions).score ?? 0;
        const after = gradeOf(given, [...statuses, "PRESENT"], sessions + unplanned).score;
        if (after !== null) expect(after).toBeGreaterThanOrEqual(before);
        else expect(before).toBe(0);
      }),
    );
  });

  test("a better status never undoes a completed activity", () => {
    fc.assert(
      fc.property(anyPolicy, anyStatuses, toCome, (given, statuses, more) => {
        const rule = { ...given, credit: { PRESENT: 100, LATE: 80, ABSENT: 0, EXCUSED: null } };
        const sessions = statuses.length + 1 + more;
        const doneWith = (status: string) => isCompleted(gradeOf(rule, [...statuses, status], sessions));
        if (doneWith("ABSENT")) expect(doneWith("LATE")).toBe(true);
        if (doneWith("LATE")) expect(doneWith("PRESENT")).toBe(true);
      }),
    );
  });

  test("a better status never lowers the score", () => {
    fc.assert(
      fc.property(anyPolicy, anyStatuses, toCome, percent, percent, (given, statuses, more, a, b) => {
        const credit = { ...given.credit, LATE: Math.max(a, b), ABSENT: Math.min(a, b) };
        const rule = { ...given, credit };
        const sessions = statuses.length + 1 + more;
        const worse = gradeOf(rule, [...statuses, "ABSENT"], sessions).score;
        const better = gradeOf(rule, [...statuses, "LATE"], sessions).score;
        // Somebody who attended may have a score that was held back before.
        if (better === null) expect(worse).toBeNull();
        else expect(better).toBeGreaterThanOrEqual(worse ?? 0);
      }),
    );
  });

  test("dropping never lowers or removes a score, and leaves at least one session", () => {
    fc.assert(
      fc.property(anyPolicy, anySessions, toCome, (given, statuses, more) => {
        const sessions = statuses.length + more;
        const without = gradeOf({ ...given, dropLowest: 0 }, statuses, sessions).score;
        const { score, working } = gradeOf(given, statuses, sessions);
        if (score === null || without === null) {
          expect(score).toBe(without);
          return;
        }
        expect(score).toBeGreaterThanOrEqual(without);
        if (given.formula.kind === "points-off") return;
        const kept = (working?.terms ?? []).map(({ count, dropped }) => count - dropped);
        expect(kept.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(1);
        expect(working?.divisor.sessions).toBeGreaterThanOrEqual(1);
      }),
    );
  });

  test("a dropped session is never better than one that stays", () => {
    fc.assert(
      fc.property(anyPolicy, anyStatuses, toCome, (given, statuses, more) => {
        const terms = gradeOf(given, statuses, statuses.length + more).working?.terms ?? [];
        const stayed = terms.filter(({ count, dropped }) => dropped < count).map(({ credit }) => credit);
        for (const { credit } of terms.filter(({ dropped }) => dropped > 0))
          expect(credit).toBeLessThanOrEqual(Math.min(...stayed));
      }),
    );
  });

  test("the score is the sum of the parts in the explanation", () => {
    fc.assert(
      fc.property(anyPolicy, anyStatuses, toCome, (policyGiven, statuses, more) => {
        const given = { ...policyGiven, formula: ruleDefaults.formula };
        const { score, working } = gradeOf(given, statuses, statuses.length + more);
        if (score === null || working === null) return;
        const kept = working.terms.map(({ credit, count, dropped }) => credit * (count - dropped));
        const sum = kept.reduce((all, one) => all + one, 0);
        const exact = (sum * given.points) / (100 * working.divisor.sessions);
        expect(Math.abs(score - exact)).toBeLessThanOrEqual(0.005 + 1e-9);
        const { of, without, dropped, sessions } = working.divisor;
        expect(of - without - dropped).toBe(sessions);
      }),
    );
  });

  test("every status is either counted, left out by the policy, or named as uncounted", () => {
    fc.assert(
      fc.property(anyPolicy, anyStatuses, (given, statuses) => {
        const { uncounted, working } = held(given, statuses);
        const unknown = statuses.filter((status) => status === "LEFT_EARLY");
        expect(uncounted).toEqual(unknown);
        const leftOut = (working?.leftOut ?? []).reduce((sum, { count }) => sum + count, 0);
        expect((working?.counted ?? 0) + leftOut + unknown.length).toBe(statuses.length);
      }),
    );
  });

  test("the sentence fits into any gradebook's comment, however many sessions it counts", () => {
    const count = fc.integer({ min: 0, max: 999 });
    fc.assert(
      fc.property(anyPolicy, fc.tuple(count, count, count, count, count), (given, counts) => {
        const names = [...knownStatuses, "LEFT_EARLY"];
        const statuses = counts.flatMap((many, index) => times(many, names[index] ?? ""));
        expect(commentIn(given, statuses, 5_000).length).toBeLessThan(200);
      }),
      { numRuns: 30 },
    );
  });
});
