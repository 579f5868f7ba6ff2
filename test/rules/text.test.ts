import { expect, test } from "vitest";
import { cutTo, endOf, showsNothing } from "../../src/kernel/text.ts";
import { fileName } from "../../src/web/table-file.ts";

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
])("%j shows nothing: %s", (text, expected) => {
  expect(showsNothing(text)).toBe(expected);
});

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
])("a file about %j keeps what it is about", (course, about, expected) => {
  expect(fileName(course, about)).toBe(expected);
  expect(encodeURIComponent(fileName(course, about))).not.toBe("");
});
