import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Delivery, type DesiredScore, scoreStateOf } from "../../src/modules/grading/rules/delivery.ts";
import { gradeOf } from "../../src/domain/grade-policy.ts";
import { afterAttempt, type TriedOutcome } from "../../src/modules/grading/after-attempt.ts";
import { canvas } from "../../src/lms/products/canvas.ts";
import { rosterProblem } from "../../src/modules/members/sync-roster.ts";
import { NamedError } from "../../src/kernel/errors.ts";
import { courseTimes } from "../../src/web/course-times.ts";
import { deliveryWords } from "../../src/modules/attendance/pages/my-attendance-view.ts";
import { whyText } from "../../src/modules/grading/pages/grading-words.ts";
import { arrivalText, causesView, spreadView } from "../../src/modules/grading/pages/grades-overview.ts";
import { decisionView, proofRowView } from "../../src/modules/grading/pages/grades-view.ts";
import { rosterProblemText } from "../../src/modules/members/pages/people-view.ts";
import { createTranslator } from "../../src/web/translate.ts";
import { deliveryOf } from "../support/builders/delivery.ts";
import { catalogues } from "../support/catalogues.ts";
import { oneColumn } from "../support/one-column.ts";

const translatorOf = createTranslator();
const languages = [...catalogues.keys()].filter((language) => language !== "en");
const desired: DesiredScore = { score: 80, maximum: 100, comment: null, revision: 1 };
const { revision: _revision, ...sent } = desired;
const accepted = { ...sent, score: 60, at: 1 };

/** A score after an attempt with that outcome. */
function after(outcome: TriedOutcome, before: Partial<Delivery> = {}): Delivery {
  const delivery = deliveryOf({ desired, ...before });
  const change = afterAttempt({ delivery, desired, lineItemUrl: null, points: null }, outcome, {
    now: 5,
    random: () => 0,
  });
  return { ...delivery, ...change };
}

test.each([...catalogues.keys()])(
  "a score in a column of 0 points does not count, as explained in %s",
  (language) => {
    const t = translatorOf(language);
    const delivery = { ...after({ kind: "accepted" }), accepted: { ...accepted, points: 0 } };
    expect(whyText(t, delivery)).toBe(t("grades.noPoints.row"));
    const words = deliveryWords(
      { t, times: courseTimes({ timeZone: "UTC" }, language) },
      { state: "delivered", accepted: delivery.accepted },
      "self",
    );
    expect(words).toMatchObject({ tone: "wait", text: t("review.delivery.noPoints") });
    expect(words.text).toContain("0");
  },
);

const shown = (score: number | null) => ({ score, maximum: 50, comment: null });
/** Another grade was seen in the gradebook. */
const changedTo = (score: number | null, overridden = false): TriedOutcome => ({
  kind: "held",
  reported: shown(score),
  overridden,
});
const refused = (code: string): TriedOutcome => ({ kind: "refused", code });
const unreachable = (code: string): TriedOutcome => ({ kind: "unreachable", code });

test("a score that was held back does not count as a slow arrival: the time of its mark is gone", () => {
  const marked = { markedAt: 2 };
  expect(after({ kind: "accepted" }, marked).accepted).toMatchObject({ markedAt: 2 });
  expect(after(unreachable("lms-failed"), marked).markedAt).toBe(2);
  expect(after(refused("grade-locked"), marked).markedAt).toBeNull();
  expect(after({ kind: "blocked", code: "lms-not-allowed" }, marked).markedAt).toBeNull();
});

const canvasSays = (text: string): TriedOutcome => {
  const told = canvas.scores.outcome({ status: 422, headers: new Headers(), text });
  return told === null || told.kind === "paused" ? { kind: "accepted" } : told;
};

test("a grade that an instructor left to the teacher stays so when the gradebook is read again", () => {
  const foreign = { ...shown(44), seenAt: 1, leftAt: 2 };
  for (const seen of [changedTo(44), { kind: "there" } as const])
    expect(after(seen, { foreign })).toMatchObject({ state: "held", foreign });
});

/** Every code that appears where scores are sent and columns are found. */
const codesInSource = [
  "lms/scores",
  "lms/service-calls",
  "lms/access-tokens",
  "lms/lms-pauses",
  "lms/scopes",
  "lms/requester",
  "lms/products/moodle",
  "modules/grading/send-score",
  "modules/grading/check-column",
  "modules/grading/find-line-item",
  "lms/line-items",
].flatMap((name) => {
  const text = readFileSync(join(import.meta.dirname, "../../src", `${name}.ts`), "utf8");
  return [...text.matchAll(/(?:refusal\(\s*|code: )"([a-z-]+)"/g)].map(([, code = ""]) => code);
});
/** Without the code that no delivery has: its score is idle until there is a column. */
const codes = [...new Set(codesInSource)].filter((code) => code !== "no-session-column");

const undelivered: [string, Delivery][] = [
  ["held, as a teacher changed it", after(changedTo(44), { accepted })],
  ["held, as an unanswered one was changed", after(changedTo(44), { unconfirmed: [sent] })],
  ["held, as another was there before", after(changedTo(44))],
  ["held, as a teacher removed it", after(changedTo(null), { accepted })],
  ["held, as the gradebook keeps showing the teacher's", after(changedTo(44, true))],
  ["waiting, as asked to", after({ kind: "busy", retryAfterMs: 5_000 })],
  ["waiting for a column", after({ kind: "gone" })],
  ["waiting, as there is a newer one", after({ kind: "conflict" })],
  ["waiting after a failure of ours", after(unreachable("unexpected"))],
  ...["400", "401", "403", "418", "422"].map((status): [string, Delivery] => [
    `refused with status ${status}`,
    after(refused(`lms-status-${status}`)),
  ]),
  ...[
    "Course concluded",
    "not a student",
    "unpublished",
    "in a closed grading period",
    "no attempt left",
    "This assignment is not applicable to this student",
    "This assignment is currently being moderated",
  ].map((text): [string, Delivery] => [`refused by Canvas: ${text}`, after(canvasSays(text))]),
  ...codes.flatMap((code): [string, Delivery][] => [
    [`refused: ${code}`, after(refused(code))],
    [`waiting: ${code}`, after(unreachable(code))],
  ]),
];

describe("why a score is not in the gradebook", () => {
  test.each(undelivered)("is translated in every language when it is %s", (_how, delivery) => {
    const texts = [...catalogues.keys()].map((language) => whyText(translatorOf(language), delivery) ?? "");
    expect(new Set(texts).size, "no two languages say the same").toBe(6);
    for (const text of texts) expect(text).not.toMatch(/\{\{|^$|^(grades|errors)\./);
  });

  test("names both grades", () => {
    const held = after(changedTo(44.5), { accepted });
    expect(whyText(translatorOf("de"), held)).toContain(
      "auf 44,5 von 50 geändert (von hier gesendet: 60 von 100)",
    );
    const kept = after(changedTo(44, true));
    expect(whyText(translatorOf("de"), kept)).toContain(
      "zeigt weiter die Bewertung der Lehrperson: 44 von 50",
    );
  });

  test("is general when its code has no translation", () => {
    const delivery = after(refused("of-another-kind"));
    expect(whyText(translatorOf("en"), delivery)).toBe("The LMS didn’t take the grade.");
    expect(whyText(translatorOf("de"), delivery)).toContain("nicht angenommen");
  });

  test("disappears once the score is being sent again", () => {
    const again = {
      ...after(refused("grade-locked")),
      state: "waiting",
      reason: null,
      refusal: null,
    } as const;
    expect(whyText(translatorOf("de"), again)).toBeNull();
  });

  test("stays, in German, while a refused score is retried", () => {
    const again = { ...after(refused("grade-locked")), state: "waiting", refusal: null } as const;
    expect(whyText(translatorOf("de"), again)).toContain("gesperrt");
  });
});

const wordsIn = (language: string) => {
  const t = translatorOf(language);
  const course = { timeZone: "Europe/Berlin" };
  const ways = { sectionKind: "groups", wording: "moodle", sections: [] } as const;
  return { t, times: courseTimes(course, t.locale), course, now: 5, ...ways };
};
const row = { name: "Ada", listName: "ann", sectionIds: [], active: true, session: null, column: null };
const rowOf = (delivery: Delivery) => ({ ...row, delivery, state: scoreStateOf(delivery) });

describe("a page of grades", () => {
  const cause = (state: "refused" | "blocked" | "waiting", cause: string, count: number, nextTryAt = 0) => ({
    state,
    cause,
    count,
    nextTryAt,
  });

  test("gives reasons in the reader's language", () => {
    const words = wordsIn("de");
    const reasons = [
      after(changedTo(44), { accepted }),
      after(refused("grade-locked")),
      after({ kind: "busy", retryAfterMs: 5_000 }),
    ].map((delivery) => {
      const view = proofRowView(words, rowOf(delivery), { several: false, above: new Set() });
      return decisionView(words, rowOf(delivery), { several: false })?.reason ?? view.why;
    });
    expect(reasons).toEqual([
      expect.stringMatching(/^Eine Lehrperson hat die Bewertung im Notenbuch auf 44 von 50 geändert/),
      expect.stringMatching(/^Diese Bewertung oder ihre Spalte ist in Moodle gesperrt/),
      expect.stringMatching(/^Die Lernplattform hat uns gebeten zu warten. Nächster Versuch/),
    ]);
  });

  test("names each cause once above the list, and in a row only what differs", () => {
    const words = wordsIn("en");
    const causes = [cause("refused", "lms-status-403", 28), cause("blocked", "platform-inactive", 1)];
    const { lines, more, above } = causesView(words, causes, false);
    expect(lines.map(({ pill, number, text }) => [pill, number, text].join(" | "))).toEqual([
      "Not accepted | 28 grades | The LMS doesn’t let the tool write grades. Ask your administrator to allow grade sync.",
      "Waiting | 1 grade | The classroom is switched off for this LMS. Ask your administrator. Sent once the classroom is switched on again for your LMS.",
    ]);
    expect(more).toBeNull();
    const whyOf = (outcome: TriedOutcome) =>
      proofRowView(words, rowOf(after(outcome)), { several: false, above }).why;
    expect(whyOf(refused("lms-status-403"))).toBeNull();
    expect(whyOf(refused("lms-status-422"))).toMatch(/^The LMS doesn’t accept a grade here/);
  });

  test("names at most three causes, and the number of the others", () => {
    const codes = ["grade-locked", "lms-status-403", "lms-status-422", "over-maximum", "not-gradable"];
    const causes = codes.map((code, at) => cause("refused", code, 9 - at));
    const { lines, more } = causesView(wordsIn("en"), causes, false);
    expect(lines).toHaveLength(3);
    expect(more).toBe("Other reasons: 11. Choose a state below.");
  });

  test("leaves out what another question or note on it says", () => {
    const causes = [cause("blocked", "gradebook-emptied", 9), cause("waiting", "lms-key-refused", 8)];
    expect(causesView(wordsIn("en"), causes, true).lines).toEqual([]);
    expect(causesView(wordsIn("en"), causes, false).lines).toHaveLength(1);
  });

  test("shows the time from mark to gradebook in words, and what is on hold", () => {
    const times = { medianMs: 4_200, slowestMs: 190_000 };
    expect(arrivalText(wordsIn("en"), times, 2)).toBe(
      "Last 24 hours: in Moodle 4 secs after marking (median), 3 mins at most. Not counted: 2 on hold.",
    );
    expect(arrivalText(wordsIn("en"), { medianMs: null, slowestMs: null }, 2)).toBeNull();
  });

  test("draws the distribution of grades, with its ends and the middle in words", () => {
    const { t } = wordsIn("en");
    expect(spreadView(t, [1, 0.05, 0.66, 0.66, 1.2, -0.1], 50)).toEqual({
      text: "-5 to 60, median 33",
      bars: [100, 0, 0, 0, 0, 0, 100, 0, 0, 100],
      points: "50",
    });
    expect(spreadView(t, [0, 0, 0, 1, 1, 1], 100)?.text).toBe("0 to 100, median 50");
    expect(spreadView(t, [1], 50)).toBeNull();
  });
});

test("A page of grades says why a rule holds a grade back", () => {
  const words = wordsIn("en");
  const held = gradeOf(
    oneColumn({ completion: { kind: "sessions", sessions: 3, before: "held" } }),
    [{ status: "PRESENT" }],
    3,
  );
  const delivery: Delivery = {
    ...after({ kind: "accepted" }),
    desired: { ...desired, score: null },
    state: "idle",
  };
  const page = (delivery: Delivery) =>
    proofRowView(words, rowOf(delivery), { several: false, grade: held, above: new Set() });
  expect(page(delivery)).toMatchObject({
    pill: { text: "No grade yet" },
    why: "No grade yet: 1 attended, 3 needed.",
  });
  expect(page({ ...delivery, desired: null }).why).toBe("No longer updated.");
});

describe("the reason why the list of people was not read", () => {
  const why = (language: string, problem: string, problemCode: string) =>
    rosterProblemText(translatorOf(language), { problem, problemCode });

  test.each([
    "roster-not-told",
    "lms-not-allowed",
    "lms-token-refused",
    "lms-key-refused",
    "lms-closed",
    "lms-not-found",
    "lms-unreachable",
    "roster-empty",
    "roster-given-up",
  ])("is shown in every reader's language: %s", (code) => {
    const problem = rosterProblem(new NamedError(code, "Words in English."));
    expect(why("en", problem, code)).not.toMatch(/\{\{|does not|^$/);
    const texts = languages.map((language) => why(language, problem, code));
    expect(new Set([...texts, problem]).size).toBe(6);
    expect(texts.join()).not.toMatch(/Words in English|(sections|errors)\./);
  });

  test("is shown as an earlier version stored it if it has no code", () => {
    expect(why("de", "Something old.", "")).toBe("Something old.");
  });
});
