import { expect, test } from "vitest";
import { catalogues } from "../../src/web/translate.ts";

/** What people read on pages is short, active and in the field's words: docs/words.md, "Words on pages". */
const maxSentenceWords = 20;

/** Phrases that no product writer would write, with what to write. */
const phrases: readonly [RegExp, string][] = [
  [/\bby itself\b|\bby themselves\b/i, "automatically, or leave it out"],
  [/\banew\b/i, "again"],
  [/\bmeanwhile\b/i, "now, or leave it out"],
  [/\bso that\b/i, "so, or two sentences"],
  [/\bof (?:which|whom)\b/i, "two sentences"],
  [/\bwhoever\b|\bwhomever\b|\bwhom\b/i, "people who, learners who, who"],
  [/\bmend(?:ed|s)?\b/i, "fix"],
  [/\b(?:is|are|be) said (?:below|beside|above|there)\b/i, "say where: “Fix the highlighted fields.”"],
  [/\btells? us\b|\btold us\b|\bdoes not tell\b/i, "sends, reports, shares"],
  [/\bany more\b/i, "no longer"],
  [/\bnothing yet\b/i, "not recorded yet, none yet"],
  [/\bstands? (?:in|on|there|for|at)\b/i, "is"],
  [/\bto be seen to\b|\bsee to it\b/i, "needs you"],
  [/\bcome of it\b|\bcomes of it\b|\bcame about\b|\bcomes? about\b/i, "result, is worked out"],
  [/\bat the door\b/i, "in the waiting line"],
  [
    /\bdo not\b|\bdoes not\b|\bdid not\b|\bcannot\b|\bis not\b|\bare not\b|\bwas not\b|\bhas not\b|\bhave not\b|\bwill not\b/,
    "a contraction: don’t, can’t, isn’t",
  ],
];

/** Words with another, agreed word; on pages of courses, not in the console. */
const words: readonly [RegExp, string][] = [
  [/\bstudents?\b/i, "learner"],
  [/(?<!\byour )\bteachers?\b|\bhosts?\b/i, "instructor; to learners “your teacher”"],
  [/\bline items?\b/i, "column"],
  [/\bdialect\b|\breceipts?\b|\boutbox\b|\bAPI user\b/i, "an operator’s word: leave it out"],
  [/\bSpaces?\b/, "classroom; Space only under Advanced"],
  [/\broster\b/i, "the list of people in your LMS"],
  [/\bmeetings?\b|\blessons?\b/i, "session"],
];

/** Where an agreed word is not the right one, with the reason. */
const allowed: readonly [key: RegExp, reason: string][] = [
  [
    /^settings\.(?:space|preview|groups|fields\.standalone|fields\.access)\./,
    "Advanced, where the Space is chosen",
  ],
  [/^grid\.import\.heads\./, "headings of other people's lists"],
];

/** Of operators, who use the standard's words. */
const operators = new Set([
  "accounts",
  "console",
  "doctor",
  "inbox",
  "institution",
  "registration",
  "readiness",
  "privacy",
]);

/** A number's point and an abbreviation end no sentence. */
function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?:])\s+(?=[“"(\p{Lu}{])/u);
}

function findingsIn(key: string, message: string): string[] {
  const [area = ""] = key.split(".");
  // What a value is called is nobody's to read.
  const text = message.replace(/\{\{\w+\}\}/g, "{…}");
  if (allowed.some(([which]) => which.test(key))) return [];
  const banned = [...phrases, ...(operators.has(area) ? [] : words)]
    .filter(([pattern]) => pattern.test(text))
    .map(([, instead]) => `${key}: “${text}” → ${instead}`);
  const long = sentencesOf(text)
    .filter((sentence) => sentence.split(/\s+/).length > maxSentenceWords)
    .map((sentence) => `${key}: more than ${maxSentenceWords} words: “${sentence}”`);
  return [...banned, ...long];
}

test("the English of pages is plain", () => {
  expect([...(catalogues.get("en") ?? [])].flatMap(([key, text]) => findingsIn(key, text))).toEqual([]);
});

test("what is banned is found", () => {
  const planted = [
    "It is tried again by itself.",
    "Nothing is saved. What is to be mended is said beside it.",
    "Ask your students.",
    `${"word ".repeat(21)}.`,
    "You cannot enter.",
  ];
  for (const text of planted) expect(findingsIn("home.a", text), text).not.toEqual([]);
  expect(findingsIn("console.f", "The receipt is stored.")).toEqual([]);
});
