import { describe, expect, test } from "vitest";
import {
  commentOf,
  defaultGradePolicy,
  gradeOf,
  type GradePolicy,
  type Grading,
} from "../../src/domain/grade-policy.ts";
import type { MinutesWorth } from "../../src/domain/grade-working.ts";
import { changeView } from "../../src/modules/grading/pages/grading-change-page.ts";
import {
  exampleView,
  explanationText,
  pointsText,
  policyWords,
  progressView,
  scoreText,
  workingWords,
} from "../../src/modules/grading/pages/grading-words.ts";
import { createTranslator } from "../../src/web/translate.ts";

const translatorOf = createTranslator();
const t = translatorOf("en");

function policy(change: Partial<Grading> = {}): Grading {
  return { ...defaultGradePolicy, ...change };
}

const withStatus = (statuses: readonly string[]) => statuses.map((status) => ({ status }));

const noGrades: GradePolicy = { kind: "no-grades" };
const planned = { kind: "planned" } as const;

/** For a preview between policies without a rule for completion. */
const unmarked = { marked: 0, completed: null, points: [] };

describe("a grade in words", () => {
  const words = (change: Partial<Grading>, statuses: string[], sessions: number) =>
    workingWords(t, gradeOf(policy(change), withStatus(statuses), sessions));

  test("says what counts, the divisor and the sum", () => {
    expect(words({}, ["PRESENT", "LATE", "PRESENT"], 3)).toEqual([
      "What counts: 2 present (100 points each), 1 late (80 points).",
      "Divided by 3: the sessions that count.",
      "How it’s calculated: (2 × 100 + 1 × 80) ÷ 3 = 93.33",
    ]);
  });

  test("says what is left out, dropped and still to come", () => {
    const statuses = ["PRESENT", "PRESENT", "ABSENT", "EXCUSED", "LEFT"];
    expect(words({ dropLowest: 2, denominator: planned }, statuses, 10)).toEqual([
      "What counts: 2 present (100 points each), 1 absent (0 points).",
      "Not counted: 1 excused.",
      "1 session has a status that doesn’t count.",
      "The 2 lowest sessions don’t count. Sessions without attendance are dropped first.",
      "Divided by 6: 10 sessions are scheduled, less 2 left out, less 2 dropped. 3 of them have no attendance yet.",
      "How it’s calculated: (2 × 100 + 1 × 0) ÷ 6 = 33.33",
    ]);
  });

  test("says what a fixed number and dropping do", () => {
    expect(words({ denominator: { kind: "fixed", sessions: 3 } }, ["PRESENT", "PRESENT"], 9)).toContain(
      "Divided by 3: the number set for this course is 3. 1 of them has no attendance yet.",
    );
    expect(words({ dropLowest: 1 }, ["PRESENT", "ABSENT"], 2)).toEqual([
      "What counts: 1 present (100 points), 1 absent (0 points).",
      "The lowest session doesn’t count.",
      "Divided by 1: 2 sessions count, less 1 dropped.",
      "How it’s calculated: 1 × 100 ÷ 1 = 100",
    ]);
  });

  test("says what the formula does", () => {
    const half = ["PRESENT", "ABSENT"];
    expect(words({ formula: { kind: "gate", percent: 75 } }, half, 2)).toEqual([
      "What counts: 1 present (100 points), 1 absent (0 points).",
      "Divided by 2: the sessions that count.",
      "Below the minimum of 75% there are no points.",
      "How it’s calculated: (1 × 100 + 1 × 0) ÷ 2 = 50 < 75: 0",
    ]);
    expect(words({ formula: { kind: "pass-fail", percent: 50 } }, half, 2)).toContain("Passed: 50% needed.");
    expect(words({ formula: { kind: "pass-fail", percent: 60 } }, half, 2)).toContain(
      "Not passed: 60% needed.",
    );
    expect(words({ formula: { kind: "points-off", percent: 5 } }, half, 2)).toEqual([
      "What counts: 1 present (100 points), 1 absent (0 points).",
      "Each absence takes 5% off the maximum; late takes off its share.",
      "How it’s calculated: 100 − 1 × 5 = 95",
    ]);
  });

  test("says what counts by minutes", () => {
    const worth: MinutesWorth = {
      kind: "minutes",
      fullFrom: 90,
      tolerance: 5,
      below: "share",
      hidden: "taken-off",
    };
    const minutes = { present: 30, of: 50 };
    const sessions = [{ status: "PRESENT" }, { status: "PRESENT", minutes }, { status: "LATE", minutes }];
    expect(workingWords(t, gradeOf(policy({ worth }), sessions, 3))).toEqual([
      "What counts: 1 present (100 points), 2 by minutes (154 points in all).",
      "Divided by 3: the sessions that count.",
      "How it’s calculated: (1 × 100 + 154) ÷ 3 = 84.67",
    ]);
    expect(policyWords(t, policy({ worth })).join(" ")).toContain(
      "Present and Late count by minutes: full credit from 90% of a session, in proportion below. Grace period: 5 min. Minutes in another browser tab don’t count. Where the minutes aren’t known, the status counts.",
    );
  });

  test("says why there is no grade", () => {
    expect(words({}, [], 3)).toEqual(["No session counts yet."]);
    expect(words({}, ["EXCUSED"], 3)).toEqual(["No session counts yet.", "Not counted: 1 excused."]);
    expect(words({ minimumSessions: 3 }, ["PRESENT"], 3)).toContain("1 of 3 sessions needed for a grade.");
    expect(workingWords(t, gradeOf(noGrades, withStatus(["PRESENT"]), 1))).toEqual([]);
  });
});

test("a file of grades says in its reader's language why a score is missing", () => {
  const german = translatorOf("de_at");
  const none = (change: Partial<Grading>, statuses: string[]) =>
    explanationText(german, gradeOf(policy(change), withStatus(statuses), 3));
  expect(none({}, [])).toBe("Noch zählt kein Termin.");
  expect(none({ minimumSessions: 3 }, ["PRESENT"])).toContain("eine Bewertung gibt es ab 3.");
  expect(none({}, ["PRESENT"])).toBe("1x100 / 1 = 100");
  expect(explanationText(german, gradeOf(noGrades, withStatus(["PRESENT"]), 1))).toBe("Keine Bewertungen.");
});

describe("numbers in words", () => {
  const german = translatorOf("de_at");
  const grade = gradeOf(
    policy({ points: 50 }),
    withStatus(["PRESENT", "LATE", "LATE", "ABSENT", "PRESENT", "PRESENT"]),
    6,
  );

  test("are written everywhere as in the reader's language", () => {
    expect(scoreText(german, { score: 93.333_33, maximum: 100 })).toBe("93,33 / 100");
    expect(pointsText(german, { score: 93.33, maximum: 12.5 })).toBe("93,33 von 12,5");
    expect(workingWords(german, grade).at(-1)).toBe("Die Rechnung: (3 × 50 + 2 × 40 + 1 × 0) ÷ 6 = 38,33");
    const odd = policy({ points: 5, credit: { PRESENT: 100, LATE: 75, ABSENT: 0, EXCUSED: null } });
    const late = gradeOf(odd, withStatus(["LATE"]), 1);
    expect(workingWords(german, late).join(" ")).toMatch(/3,75 Punkte.*: 1 × 3,75 ÷ 1 = 3,75$/);
    const learner = { name: "Ada", counted: [{ eventId: "1", status: "LATE" }], planned: 1 };
    expect(exampleView(german, learner, odd).score).toBe("3,75 von 5");
    const [before, after] = [policy({ dropLowest: 1 }), policy()];
    const change = { personId: "1", name: "Ada", sub: "1", before: 93.33, after: 83.33 };
    const gradebook = {
      checked: "everybody",
      endsExcused: false,
      otherPoints: 12.5,
      columnPoints: 12.5,
      columnName: null,
      ignoresProgress: false,
    } as const;
    const shown = changeView(german, {
      before,
      after,
      preview: { changes: [change], unchanged: 0, ...unmarked },
      gradebook,
    });
    expect(shown.rows[0]).toMatchObject({ before: "93,33", after: "83,33" });
    expect(shown.notes.join(" ")).toContain("12,5");
  });

  test("stay in one form in the comment that goes to the gradebook", () => {
    expect(commentOf(policy({ points: 50 }), grade, translatorOf)).toContain(
      "(3x50 + 2x40 + 1x0) / 6 = 38.33 of 50",
    );
    expect(grade.explanation).toBe("(3x50 + 2x40 + 1x0) / 6 = 38.33");
  });
});

describe("a policy in words", () => {
  test.each<[string, GradePolicy, string]>([
    [
      "by default",
      policy(),
      "One grade for all sessions, 100 points at most. Present 100%, Late 80%, Absent 0%, Excused doesn’t count. Calculated from the sessions held so far.",
    ],
    [
      "with everything",
      policy({
        points: 1,
        denominator: { kind: "fixed", sessions: 10 },
        dropLowest: 1,
        minimumSessions: 3,
        comment: true,
      }),
      "One grade for all sessions, 1 point at most. Present 100%, Late 80%, Absent 0%, Excused doesn’t count. Calculated from 10 sessions. Each learner’s lowest session doesn’t count. Grades start after 3 sessions. The explanation is sent as a comment.",
    ],
    [
      "with points off, without a divisor",
      policy({
        formula: { kind: "points-off", percent: 5 },
        dropLowest: 2,
        denominator: { kind: "planned" },
      }),
      "One grade for all sessions, 100 points at most. Present 100%, Late 80%, Absent 0%, Excused doesn’t count. Each absence takes 5% off the maximum. Each learner’s 2 lowest sessions don’t count.",
    ],
    [
      "for single sessions",
      policy({ kind: "column-per-session" }),
      "A grade for each session, 100 points at most. Present 100%, Late 80%, Absent 0%, Excused doesn’t count.",
    ],
    ["without grades", noGrades, "No grades."],
  ])("%s", (_what, given, words) => expect(policyWords(t, given).join(" ")).toBe(words));
});

describe("the preview of a change of policy", () => {
  const moodle = {
    checked: "everybody",
    endsExcused: false,
    otherPoints: null,
    columnPoints: null,
    columnName: null,
    ignoresProgress: false,
  } as const;
  const change = (name: string, before: number | null, after: number | null) => ({
    personId: name,
    name,
    sub: name,
    before,
    after,
  });
  const view = (
    before: GradePolicy,
    after: GradePolicy,
    changes: ReturnType<typeof change>[],
    unchanged = 0,
  ) => changeView(t, { before, after, preview: { changes, unchanged, ...unmarked }, gradebook: moodle });

  test("highlights the changed part of the rule", () => {
    const { before, after } = view(policy(), policy({ dropLowest: 1 }), []).rules;
    const changed = (side: typeof before) => side.filter((one) => one.changed).map(({ text }) => text);
    expect([changed(before), changed(after)]).toEqual([[], ["Each learner’s lowest session doesn’t count."]]);
    expect(before.map(({ text }) => text)).toContain("Calculated from the sessions held so far.");
  });

  test("gives numbers, with the worst news first", () => {
    const shown = view(
      policy(),
      policy({ minimumSessions: 2 }),
      [change("Ada", 93.33, 90), change("Bob", 50, null), change("Cy", null, 40), change("Di", 10, 60)],
      8,
    );
    expect(shown.facts).toEqual([
      "4 of 12 learners get a different grade.",
      "Biggest change: Di, 10 → 60.",
      "1 loses their grade: it is cleared in the gradebook.",
      "1 gets a first grade.",
    ]);
    expect(
      shown.rows.map(({ name, before, after, happens }) => [name, before, after, happens].join(" ")),
    ).toEqual(["Bob 50 no grade cleared", "Cy no grade 40 new", "Di 10 60 higher", "Ada 93.33 90 lower"]);
    expect(shown.more).toBeNull();
    expect(shown.notes[0]).toBe("3 grades are sent.");
  });

  test("draws a dot for each learner before and after, or one for several if they are many", () => {
    const drawn = (points: readonly { before: number | null; after: number | null }[]) =>
      changeView(t, {
        before: policy(),
        after: policy({ dropLowest: 1 }),
        gradebook: moodle,
        preview: { changes: [change("Ada", 80, 100)], unchanged: 1, ...unmarked, points },
      }).dots;
    const some = [
      { before: 80, after: 100 },
      { before: 81, after: 81 },
      { before: null, after: 0 },
    ];
    const dots = drawn(some);
    expect(dots).toMatchObject({ rows: 2, sides: [{ points: "100" }, { points: "100" }], each: null });
    expect(dots?.sides.map((side) => [side.name, ...side.dots.map(({ x, y }) => `${x}:${y}`)])).toEqual([
      ["Now", "32:1", "32:0"],
      ["Then", "0:1", "32:1", "39:1"],
    ]);
    const many = drawn(Array.from({ length: 100 }, () => ({ before: 50, after: 60 })));
    expect(many).toMatchObject({ rows: 6, each: "A dot is up to 17 learners." });
    expect(many?.sides[0]?.dots).toHaveLength(6);
    expect(view(policy(), policy({ kind: "column-per-session" }), [change("Ada", 1, 2)]).dots).toBeNull();
  });

  test("lists fifty learners and counts the others", () => {
    const many = Array.from({ length: 62 }, (_none, at) => change(`Learner ${at}`, 100, 90));
    const shown = view(
      policy(),
      policy({ credit: { PRESENT: 90, LATE: 80, ABSENT: 0, EXCUSED: null } }),
      many,
    );
    expect(shown.rows).toHaveLength(50);
    expect(shown.more).toBe("And 12 more.");
  });

  test("shows a different maximum apart from a different grade", () => {
    const shown = view(policy(), policy({ points: 10 }), [change("Ada", 93.33, 9.33), change("Bob", 50, 6)]);
    expect(
      shown.rows.map(({ name, before, after, happens }) => [name, before, after, happens].join(" ")),
    ).toEqual(["Bob 50 of 100 6 of 10 higher", "Ada 93.33 of 100 9.33 of 10 on another scale"]);
    expect(shown.notes.join(" ")).toContain("keeps its maximum");
    expect(shown.notes[0]).toBe("Every grade that differs in the gradebook is sent again.");
  });

  test("shows the column's maximum in the gradebook, and which grades are not overwritten", () => {
    const notes = (gradebook: object) =>
      changeView(t, {
        before: policy(),
        after: policy({ points: 10 }),
        preview: { changes: [change("Ada", 100, 10)], unchanged: 0, ...unmarked },
        gradebook: { ...moodle, ...gradebook },
      }).notes.join(" ");
    expect(notes({ otherPoints: 50, columnPoints: 50 })).toContain("10 of 10 show as 50 of 50");
    expect(notes({ columnPoints: 10 })).not.toContain("maximum");
    expect(notes({})).toContain("an instructor changed in the gradebook stay");
    expect(notes({ checked: "nobody" })).toContain("a grade that an instructor changed there is overwritten");
  });

  test("says that grades already sent stay when a course stops giving grades", () => {
    const shown = view(policy(), noGrades, [change("Ada", 100, null)], 3);
    expect(shown).toMatchObject({ facts: [], rows: [], more: null });
    expect(shown.notes.join(" ")).toContain("Grades in the gradebook stay");
  });

  test("compares no grades between one column and columns of single sessions", () => {
    const shown = view(policy(), policy({ kind: "column-per-session" }), [change("Ada", 93.33, 280)]);
    expect(shown.facts).toEqual(["1 of 1 learners gets a different grade."]);
    expect(shown.rows[0]).toMatchObject({ before: "93.33", after: "280", happens: "on another scale" });
    expect(shown.notes.join(" ")).toContain("stays and counts towards the course total");
    const back = view(policy({ kind: "column-per-session" }), policy(), []);
    expect(back.notes.join(" ")).toContain("Columns of single sessions stay");
  });

  test("says when no grade changes, and when there are no learners", () => {
    expect(view(policy(), policy({ dropLowest: 1 }), [], 30).facts).toEqual([
      "All 30 learners keep their grade.",
    ]);
    expect(view(policy(), policy({ dropLowest: 1 }), [], 1).facts).toEqual([
      "The learner keeps their grade.",
    ]);
    const nobody = view(policy(), policy({ dropLowest: 1 }), []);
    expect(nobody.facts).toEqual(["No attendance yet, so no grade changes."]);
    expect(nobody.notes).toEqual(["Nothing is sent now."]);
  });

  test("warns of excused marks that sending would remove, only when something is sent", () => {
    const canvas = { ...moodle, endsExcused: true };
    const from = { before: policy(), after: policy({ dropLowest: 1 }), gradebook: canvas };
    const told = changeView(t, {
      ...from,
      preview: { changes: [change("Ada", 50, 60)], unchanged: 0, ...unmarked },
    });
    const silent = changeView(t, { ...from, preview: { changes: [], unchanged: 1, ...unmarked } });
    expect(told.notes.join(" ")).toContain("takes off “Excused”");
    expect(silent.notes.join(" ")).not.toContain("Excused");
    expect(view(policy(), policy({ dropLowest: 1 }), [change("Ada", 50, 60)]).notes.join(" ")).not.toContain(
      "Excused",
    );
  });
});

describe("the example", () => {
  const learner = { name: "Ada", counted: [{ eventId: "1", status: "PRESENT" }], planned: 4 };

  test("is a real learner's if possible, and says so if it is not", () => {
    expect(exampleView(t, learner, policy())).toMatchObject({ who: "Ada now:", score: "100 of 100" });
    expect(exampleView(t, learner, policy({ denominator: planned })).score).toBe("25 of 100");
    expect(exampleView(t, { ...learner, name: null }, policy()).who).toContain("made-up");
  });

  test("has no score when there is none to compute", () => {
    expect(exampleView(t, learner, noGrades).score).toBeNull();
    expect(exampleView(t, learner, policy({ kind: "column-per-session" }))).toMatchObject({
      score: null,
      words: ["Each session has its own grade: 1 present (100 points)."],
    });
    expect(exampleView(t, learner, policy({ minimumSessions: 2 })).score).toBe("No grade yet");
  });
});

describe("the progress of grades after a change", () => {
  const regrade = (state: "none" | "waiting" | "running" | "done" | "failed", total = 0) => ({
    state,
    graded: 12,
    total,
    finishedAt: null,
  });

  test.each([
    ["nothing was ever changed", regrade("none"), 0, null],
    ["it is waiting", regrade("waiting"), 0, "Grades are recalculated soon."],
    ["it is running", regrade("running", 30), 3, "Working out grades: 12 of 30 learners."],
    ["it failed", regrade("failed"), 0, "We retry"],
    ["scores are waiting", regrade("done", 30), 1, "1 grade is still being sent."],
    ["everything is done", regrade("done", 30), 0, "All grades are calculated and sent."],
  ])("%s", (_what, progress, waiting, text) => {
    const shown = progressView(t, progress, waiting);
    if (text === null) expect(shown).toBeNull();
    else expect(shown?.text).toContain(text);
  });

  test("has a bar once the total is known", () => {
    expect(progressView(t, regrade("running", 30), 0)?.progress).toEqual({ value: 12, max: 30 });
    expect(progressView(t, regrade("running"), 0)?.progress).toBeNull();
  });
});
