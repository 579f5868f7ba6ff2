import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { catalogues } from "../support/catalogues.ts";

const root = join(import.meta.dirname, "../..");

/** Texts on pages are short, active and in the field's words: docs/words.md, "Words on pages". */
const maxSentenceWords = 20;

/** Phrases that nobody would say aloud, with what to write instead. */
const phrases: readonly [RegExp, string][] = [
  [/\bby itself\b|\bby themselves\b/i, "automatically, or leave it out"],
  [/\banew\b/i, "again"],
  [/\bmeanwhile\b/i, "now, or leave it out"],
  [/\bof (?:which|whom)\b/i, "two sentences"],
  [/\bwhoever\b|\bwhomever\b|\bwhom\b/i, "people who, learners who, who"],
  [/\bmend(?:ed|s)?\b/i, "fix"],
  [/\btells? us\b|\btold us\b|\bdoes not tell\b/i, "sends, reports, shares"],
  [/\bany more\b/i, "no longer"],
  [/\bstands? (?:in(?! for)|on|there|for|at)\b/i, "is"],
  [/\bto be seen to\b|\bsee to it\b/i, "needs you"],
  [/\bcome of it\b|\bcomes of it\b|\bcame about\b|\bcomes? about\b/i, "result, is worked out"],
];

/** Only on pages: docs are less strict about some, and mention the door. */
const onPages: readonly [RegExp, string][] = [
  [/\bso that\b/i, "so, or two sentences"],
  [/\b(?:is|are|be) said (?:below|beside|above|there)\b/i, "say where: “Fix the highlighted fields.”"],
  [/\bnothing yet\b/i, "not recorded yet, none yet"],
  [/\bat the door\b/i, "in the waiting line"],
  [/\blog-ins?\b/i, "login"],
  [/\w'\w/, "an apostrophe as in print: ’"],
  [
    /\bdo not\b|\bdoes not\b|\bdid not\b|\bcannot\b|\bis not\b|\bare not\b|\bwas not\b|\bhas not\b|\bhave not\b|\bwill not\b/,
    "a contraction: don’t, can’t, isn’t",
  ],
];

/** Only in docs and programs: a few texts of pages still have them. */
const inDocs: readonly [RegExp, string][] = [
  [/\b(?:is|are) (?:told|said)\b/i, "who says it, and an active verb"],
  [/\bgo(?:es)? on\b/i, "continues"],
  [/\bof (?:its|their) own\b/i, "its own, separate"],
  [/\bbelongs? to nobody\b/i, "nobody uses it"],
  [/\bat once\b/i, "immediately, at the same time"],
];

/** Words for which another word is agreed; on pages of courses, not in the console. */
const words: readonly [RegExp, string][] = [
  [/\bstudents?\b/i, "learner"],
  [/(?<!\byour )\bteachers?\b|\bhosts?\b/i, "instructor; to learners “your teacher”"],
  [/\bline items?\b/i, "column"],
  [/\bdialect\b|\breceipts?\b|\boutbox\b|\bAPI user\b/i, "an operator’s word: leave it out"],
  [/\bSpaces?\b/, "classroom; Space only under Advanced"],
  [/\bcohorts?\b/i, "classroom group"],
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

/** Areas for operators, who use the standard's words. */
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

/** The dot of a number or an abbreviation ends no sentence, and text in brackets does not count. */
function sentencesOf(text: string): string[] {
  return text.replaceAll(/\s*\([^()]*\)/g, "").split(/(?<=[.!?:])\s+(?=[“"(\p{Lu}{])|(?<=;)\s/u);
}

type Rules = readonly [RegExp, string][];

function findings(where: string, text: string, rules: Rules, isShort = true): string[] {
  const banned = rules
    .filter(([pattern]) => pattern.test(text))
    .map(([, instead]) => `${where}: “${text}” → ${instead}`);
  const long = sentencesOf(text)
    .filter((sentence) => isShort && sentence.trim().split(/\s+/).length > maxSentenceWords)
    .map((sentence) => `${where}: more than ${maxSentenceWords} words: “${sentence}”`);
  return [...banned, ...long];
}

function findingsIn(key: string, message: string): string[] {
  const [area = ""] = key.split(".");
  if (allowed.some(([which]) => which.test(key))) return [];
  // Nobody reads a value's name.
  const text = message.replace(/\{\{\w+\}\}/g, "{…}");
  return findings(key, text, [...phrases, ...onPages, ...(operators.has(area) ? [] : words)]);
}

/** A page's paragraphs, list entries and table cells without code; a quotation counts as one word. */
function proseOf(markdown: string): string[] {
  return markdown
    .replaceAll(/^```[\s\S]*?^```/gm, "")
    .replaceAll(/^ {4}npm .*$/gm, "")
    .replaceAll(/`[^`]*`|"[^"]*"/g, "“…”")
    .replaceAll(/“…”(?:(?:, and|, or|,| and| or|:)?\s+“…”)+/g, "“…”")
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("**", "")
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.|\|)\s)|\|/)
    .map((text) =>
      text
        .replace(/^\s*(?:[-*]|\d+\.|#+)\s+/, "")
        .replaceAll(/\s+/g, " ")
        .trim(),
    )
    .filter((text) => /\p{L}/u.test(text));
}

/** The sentences in a program's texts, of three words and more. */
function textsOf(file: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) texts.push(node.text);
    else if (ts.isTemplateExpression(node))
      texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("{…}"));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest));
  return texts.flatMap((text) => text.split("\n")).filter((text) => /[a-z] [a-z]+ [a-z]/.test(text));
}

/** The lead's own lists of words and counts, and the page that a program writes. */
const leftOut = /docs\/(?:house|status|words|measured|security\/kept-records)\.md$/;
const pages = globSync(["README.md", "CONTRIBUTING.md", "docs/**/*.md", "lti-config/*.md"], { cwd: root })
  .filter((page) => !leftOut.test(page))
  .toSorted();

test("the English of pages is plain", () => {
  expect([...(catalogues.get("en") ?? [])].flatMap(([key, text]) => findingsIn(key, text))).toEqual([]);
});

/** The same words in other languages, and the words that a glossary (`views/locales/<language>/README.md`) replaces. */
const inLanguages: Record<string, RegExp> = {
  de: /\bSpaces?\b|\bHosts?\b|Kohorte|Werkzeug|Lehrkr[aä]ft|\bNoten?\b/,
  fr: /\bSpaces?\b|\bhôtes?\b|apprenant/i,
  es: /\bSpaces?\b|anfitri/i,
  pt: /\bSpaces?\b|anfitri|\bdefinições\b|\bconsola\b/i,
  // Not the space on a disk.
  ar: /مساح(?:ة|ت)(?!\.$)|مضيف|متعل|معل[ّ]?م[^ا]/,
};

test.each(Object.entries(inLanguages))(
  "pages of courses in %s use the words of their glossary",
  (language, banned) => {
    const found = [...(catalogues.get(language) ?? [])].filter(([key, text]) => {
      const isOperators = operators.has(key.split(".")[0] ?? "");
      return (
        !isOperators &&
        !allowed.some(([which]) => which.test(key)) &&
        banned.test(text.replaceAll(/\{\{\w+\}\}/g, ""))
      );
    });
    expect(found).toEqual([]);
  },
);

test("finds banned phrases", () => {
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

test("finds banned phrases in paragraphs, lists and tables of docs, but not in code or quotations", () => {
  const inPage = (page: string) =>
    proseOf(page).flatMap((text) => findings("page", text, [...phrases, ...inDocs]));
  for (const page of [
    "It is tried\nat once.",
    "- Whoever comes\n- stays",
    "| a | It is told. |",
    `- ${"word ".repeat(21)}`,
  ])
    expect(inPage(page), page).not.toEqual([]);
  expect(inPage('It says `at once` and "whoever".\n\n```\nanew\n```\n')).toEqual([]);
});

describe("the English of docs is plain", () => {
  test.each(pages)("%s", (page) => {
    const prose = proseOf(readFileSync(join(root, page), "utf8"));
    expect(prose.flatMap((text) => findings(page, text, [...phrases, ...inDocs]))).toEqual([]);
  });

  test("in the changelog of the next release", () => {
    const [, next = ""] = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(/^## /m);
    const prose = proseOf(next);
    expect(prose.length).toBeGreaterThan(5);
    expect(prose.flatMap((text) => findings("CHANGELOG.md", text, [...phrases, ...inDocs], false))).toEqual(
      [],
    );
  });
});

test("the English of programs is plain", () => {
  const programs = ["src/cli.ts", "src/cli/*.ts", "src/config*.ts", "src/lms/**/*.ts", "sandbox/*.ts"];
  const files = globSync([...programs, "src/kernel/operator-sentences.ts"], { cwd: root });
  expect(files.length).toBeGreaterThan(50);
  const found = files.flatMap((file) =>
    textsOf(file).flatMap((text) =>
      findings(file, text.replaceAll(/\{\{\w+\}\}/g, "{…}"), [...phrases, ...inDocs]),
    ),
  );
  expect(found).toEqual([]);
});
