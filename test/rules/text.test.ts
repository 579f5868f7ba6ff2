import { expect, test } from "vitest";
import { cutTo, endOf, showsNothing, wholeNumber } from "../../src/kernel/text.ts";
import { isolated } from "../../src/web/page-text.ts";
import { fileName } from "../../src/web/table-file.ts";
import { createTranslator } from "../../src/web/translate.ts";

test.each([
  ["", true],
  [" \t\u00a0\u3000", true],
  ["\u200b", true],
  ["\u2800", true],
  ["\u3164", true],
  ["\u00ad", true],
  ["\u202e\u202c", true],
  ["\ufeff\u2060", true],
  ["\u200bAnn", false],
  ["\u0645\u200c\u0646", false],
  ["0", false],
  ["😀", false],
])("%j shows nothing: %s", (text, expected) => expect(showsNothing(text)).toBe(expected));

test.each([
  ["short", 10, "short", "short"],
  ["longer than that", 6, "longer", "n that"],
  ["ab😀cd", 3, "ab", "cd"],
  ["ab😀cd", 4, "ab😀", "😀cd"],
])("%j has at most %i units, and no half characters at either end", (text, most, start, end) => {
  expect(cutTo(text, most)).toBe(start);
  expect(endOf(text, most)).toBe(end);
});

test.each([
  ["Biology / 101: cells", "Attendance 2026-03-09", "Biology 101 cells Attendance 2026-03-09"],
  [`${"x".repeat(127)}😀 course`, "Attendance 2026-03-09", `${"x".repeat(127)} Attendance 2026-03-09`],
  ["x".repeat(150), "Grades 2026-03-09", `${"x".repeat(132)} Grades 2026-03-09`],
  ["Biology", `${"y".repeat(99)}😀😀`, `Biology ${"y".repeat(99)}`],
])("a file about %j keeps its subject", (course, about, expected) => {
  expect(fileName(course, about)).toBe(expected);
  expect(encodeURIComponent(fileName(course, about))).not.toBe("");
});

test.each([
  ["60", 60],
  [" 60 ", 60],
  ["٦٠", 60],
  ["۶۰", 60],
  ["６０", 60],
  ["६०", 60],
  ["007", 7],
  ["", Number.NaN],
  ["6 0", Number.NaN],
  ["-1", Number.NaN],
  ["1.5", Number.NaN],
  ["1e3", Number.NaN],
  ["²", Number.NaN],
  ["1000000", Number.NaN],
])("%j is read as %d", (typed, expected) => expect(wholeNumber(typed)).toBe(expected));

test.each([
  ["en", "Biology", "Biology"],
  ["en", "علم الأحياء 101", "\u2068علم الأحياء 101\u2069"],
  ["de", "ביולוגיה", "\u2068ביולוגיה\u2069"],
  ["ar", "علم الأحياء", "علم الأحياء"],
  ["ar", "Biology", "\u2068Biology\u2069"],
  ["en", "\u202eBiology\u2069", "Biology"],
])("in %s, the name %j is written in plain text as %j", (language, name, expected) => {
  expect(isolated(createTranslator()(language), name)).toBe(expected);
});
