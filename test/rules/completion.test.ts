import { describe, expect, test } from "vitest";
import { capabilitiesOf } from "../../src/lms/products/products.ts";
import { changeView, type GradebookBefore } from "../../src/modules/grading/pages/grading-change-page.ts";
import { policyWords, workingWords } from "../../src/modules/grading/pages/grading-words.ts";
import type { PolicyPreview } from "../../src/modules/grading/change-policy.ts";
import { compareWithGradebook } from "../../src/modules/grading/rules/compare-with-gradebook.ts";
import { isSameScore } from "../../src/modules/grading/rules/delivery.ts";
import { type OneColumn, oneColumn, statusesOf } from "../support/one-column.ts";
import { createTranslator } from "../../src/web/translate.ts";
import type { Completion } from "../../src/domain/grade-working.ts";
import {
  commentOf,
  defaultGradePolicy,
  gradeOf,
  gradeOfSession,
  isCompleted,
} from "../../src/domain/grade-policy.ts";

const policy = (completion: Completion, change: Partial<OneColumn> = {}) =>
  oneColumn({ comment: true, completion, ...change });

const sessionsOf = (initials: string) => statusesOf(initials).map((status) => ({ status }));

const sessions = (number: number, before: "sent" | "held" = "sent") =>
  ({ kind: "sessions", sessions: number, before }) as const;
const share = (percent: number, before: "sent" | "held" = "sent") =>
  ({ kind: "share", percent, before }) as const;

describe("an activity is completed", () => {
  test.each<[string, Completion, string, number, boolean]>([
    ["by any score, without another rule", { kind: "score" }, "A", 9, true],
    ["by the third of three sessions attended", sessions(3), "PLP", 3, true],
    ["not by fewer", sessions(3), "PPA", 3, false],
    ["not by an excuse, which is left out", sessions(2), "PEE", 3, false],
    ["not by an undocumented status", sessions(2), "P?", 2, false],
    ["by a share of all scheduled sessions, future ones included", share(75), "PPP", 4, true],
    ["not by a share of the held sessions alone", share(75), "PP", 4, false],
    ["not by half a session less than the share", share(50), "P", 3, false],
    ["by a share without sessions that are left out", share(100), "PPE", 3, true],
    ["by a share without an undocumented status", share(100), "PP?", 3, true],
    ["by a share of the held sessions, if more were held than scheduled", share(100), "PPA", 1, false],
  ])("%s", (_what, completion, initials, planned, completed) => {
    expect(isCompleted(gradeOf(policy(completion), sessionsOf(initials), planned))).toBe(completed);
  });

  test("even by sessions attended that the score drops", () => {
    const given = policy(sessions(3), { dropLowest: 1 });
    expect(isCompleted(gradeOf(given, sessionsOf("PPL"), 3))).toBe(true);
  });

  test("not by a late arrival if late is left out", () => {
    const given = policy(sessions(2), { credit: { PRESENT: 100, LATE: null, ABSENT: 0, EXCUSED: null } });
    expect(isCompleted(gradeOf(given, sessionsOf("PL"), 2))).toBe(false);
  });

  test("by every score in a column of one session", () => {
    expect(isCompleted(gradeOfSession(policy(sessions(3, "held")), sessionsOf("A")))).toBe(true);
    expect(gradeOfSession(policy(sessions(3, "held")), sessionsOf("P")).score).toBe(100);
  });
});

describe("a score before completion", () => {
  test("is the same as without the rule, if it is sent", () => {
    const plain = gradeOf(policy({ kind: "score" }), sessionsOf("PPA"), 3).score;
    expect(gradeOf(policy(sessions(3)), sessionsOf("PPA"), 3).score).toBe(plain);
  });

  test("is left out if it is held back, and the page says what is missing", () => {
    const { score, explanation } = gradeOf(policy(sessions(3, "held")), sessionsOf("PPA"), 4);
    expect(score).toBeNull();
    expect(explanation).toBe("2 of 3 sessions attended; there is a grade from 3 on.");
  });

  test("comes with the session that completes it", () => {
    expect(gradeOf(policy(sessions(3, "held")), sessionsOf("PPAP"), 4).score).toBe(75);
  });

  test("waits for the minimum of sessions first", () => {
    const { explanation } = gradeOf(policy(sessions(3, "held"), { minimumSessions: 5 }), sessionsOf("PP"), 4);
    expect(explanation).toBe("2 sessions count so far; there is a grade from 5 on.");
  });

  test("says in the gradebook's comment that the activity is not completed, until it is", () => {
    const comment = (initials: string) => {
      const given = policy(sessions(3));
      return commentOf(given, gradeOf(given, sessionsOf(initials), 4), createTranslator());
    };
    expect(comment("PPA")).toBe(
      "3 sessions: 2 present, 1 absent; not completed: 2 of 3 attended: (2x100 + 1x0) / 3 = 66.67 of 100",
    );
    expect(comment("PPP")).toBe("3 sessions: 3 present: 3x100 / 3 = 100 of 100");
  });

  test.each([
    ["en", "No grade yet: 2 attended, 3 needed."],
    ["de", "Noch keine Bewertung: 2 besucht, 3 nötig."],
  ])("explains in the language of comments (%s) why it is missing", (commentLanguage, words) => {
    const given = { ...policy(sessions(3, "held")), commentLanguage };
    expect(commentOf(given, gradeOf(given, sessionsOf("PPA"), 4), createTranslator())).toBe(words);
  });
});

describe("a rule for completion in words", () => {
  const t = createTranslator()("en");
  const words = (completion: Completion, initials: string, planned: number) =>
    workingWords(t, gradeOf(policy(completion), sessionsOf(initials), planned)).at(-1);

  test("an instructor reads it among the other rules", () => {
    expect(policyWords(t, policy(sessions(3, "held")))).toContain(
      "Completed after 3 sessions attended. No grade before that.",
    );
    expect(policyWords(t, policy(share(75)))).toContain(
      "Completed after 75% of the scheduled sessions attended. Until then, the grade is marked as in progress.",
    );
    expect(policyWords(t, policy({ kind: "score" })).join(" ")).not.toContain("ompleted");
  });

  test("a learner reads what is missing, or that nothing is", () => {
    expect(words(sessions(3), "PPA", 3)).toBe("Not completed yet: 2 attended, 3 needed.");
    expect(words(sessions(3, "held"), "PPA", 3)).toBe("No grade yet: 2 attended, 3 needed.");
    expect(words(sessions(3, "held"), "PPL", 3)).toBe("Completed: 3 attended, 3 needed.");
    expect(words(share(75), "PPP", 4)).toBe("Completed: 3 attended, 3 needed. The share is of 4 sessions.");
  });

  const gradebook: GradebookBefore = {
    checked: "everybody" as const,
    endsExcused: false,
    otherPoints: null,
    columnPoints: 100,
    columnName: null,
    ignoresProgress: false,
  };
  const notes = (
    preview: Pick<PolicyPreview, "marked" | "completed">,
    rule: Completion = sessions(3),
    there = gradebook,
  ) =>
    changeView(t, {
      before: policy({ kind: "score" }),
      after: policy(rule),
      preview: { changes: [], unchanged: 9, points: [], ...preview },
      gradebook: there,
    }).notes;

  test("a preview warns where the LMS takes a grade in progress as any other", () => {
    const preview = { marked: 4, completed: { before: 9, after: 5 } };
    const ignored = "Every grade completes the activity here, also one marked as in progress.";
    const there = { ...gradebook, ignoresProgress: true };
    expect(notes(preview, sessions(3), there)).toContain(ignored);
    expect(notes(preview, sessions(3, "held"), there)).not.toContain(ignored);
    expect(notes(preview)).not.toContain(ignored);
  });

  test("a preview counts who has completed, and says that marks are sent even where the grade stays the same", () => {
    expect(notes({ marked: 4, completed: { before: 9, after: 5 } })).toEqual([
      "Completed learners: 9 now, 5 after the change.",
      "4 grades are sent.",
      expect.stringContaining("stay"),
    ]);
    expect(notes({ marked: 0, completed: { before: 5, after: 5 } })).toEqual([
      "Completed learners: 5 now, 5 after the change.",
      "Nothing is sent now.",
    ]);
  });
});

describe("the gradebook", () => {
  const there = { score: 80, maximum: 100, comment: null, inProgress: true };

  test("does not have the score before its mark is the same", () => {
    expect(isSameScore(there, { ...there, inProgress: false })).toBe(false);
    expect(isSameScore({ ...there, inProgress: false }, { score: 80, maximum: 100, comment: null })).toBe(
      true,
    );
  });

  test("shows the same grade, but the mark is still sent", () => {
    const cell = { lineItemUrl: "column", traits: capabilitiesOf(null).gradebook, points: 100 };
    const sent = { accepted: { ...there, at: 1 }, unconfirmed: [], overruled: null };
    const judged = (inProgress: boolean) =>
      compareWithGradebook(cell, sent, { ...there, inProgress, revision: 2 }, { ...there });
    expect(judged(true)).toBe("as-wanted");
    expect(judged(false)).toBe("ours");
  });
});

test("a course begins without a rule for completion", () => {
  expect(defaultGradePolicy.completion).toEqual({ kind: "score" });
});
