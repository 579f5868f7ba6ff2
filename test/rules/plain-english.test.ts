import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";

/** What people read on pages is short, active and in the field's words: docs/words.md, "Words on pages". */
const folder = fileURLToPath(new URL("../../views/locales/en", import.meta.url));

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
const allowed: readonly [area: string, key: RegExp, reason: string][] = [
  [
    "settings",
    /^(?:space|preview|groups)\.|^fields\.(?:standalone|access)\./,
    "Advanced, where the Space is chosen",
  ],
  ["grid", /^import\.heads\./, "headings of other people's lists"],
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

type Message = { key: string; text: string };

const catalogue: z.ZodType<Catalogue> = z.lazy(() => z.record(z.string(), z.union([z.string(), catalogue])));
type Catalogue = { [key: string]: string | Catalogue };

function messagesOf(part: Catalogue, before = ""): Message[] {
  return Object.entries(part).flatMap(([key, value]) =>
    typeof value === "string"
      ? [{ key: `${before}${key}`, text: value }]
      : messagesOf(value, `${before}${key}.`),
  );
}

/** A number's point and an abbreviation end no sentence. */
function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?:])\s+(?=[“"(\p{Lu}{])/u);
}

function findingsIn(area: string, { key, text: message }: Message): string[] {
  // What a value is called is nobody's to read.
  const text = message.replace(/\{\{\w+\}\}/g, "{…}");
  if (allowed.some(([where, which]) => where === area && which.test(key))) return [];
  const banned = [...phrases, ...(operators.has(area) ? [] : words)]
    .filter(([pattern]) => pattern.test(text))
    .map(([, instead]) => `${key}: “${text}” → ${instead}`);
  const long = sentencesOf(text)
    .filter((sentence) => sentence.split(/\s+/).length > maxSentenceWords)
    .map((sentence) => `${key}: more than ${maxSentenceWords} words: “${sentence}”`);
  return [...banned, ...long];
}

const areas = await Promise.all(
  (await readdir(folder))
    .filter((name) => name.endsWith(".json"))
    .map(async (name) => {
      const messages = messagesOf(catalogue.parse(JSON.parse(await readFile(`${folder}/${name}`, "utf8"))));
      const area = name.replace(".json", "");
      return { area, findings: messages.flatMap((message) => findingsIn(area, message)) };
    }),
);

test.each(areas)("the English of $area is plain", ({ findings }) => {
  expect(findings).toEqual([]);
});

test("what is banned is found", () => {
  const planted: Message[] = [
    { key: "a", text: "It is tried again by itself." },
    { key: "b", text: "Nothing is saved. What is to be mended is said beside it." },
    { key: "c", text: "Ask your students." },
    { key: "d", text: `${"word ".repeat(21)}.` },
    { key: "e", text: "You cannot enter." },
  ];
  for (const message of planted) expect(findingsIn("home", message), message.text).not.toEqual([]);
  expect(findingsIn("console", { key: "f", text: "The receipt is stored." })).toEqual([]);
});
