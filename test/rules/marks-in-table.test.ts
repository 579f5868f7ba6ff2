import { describe, expect, test } from "vitest";
import { marksInTable, type TableWords } from "../../src/modules/attendance/rules/marks-in-table.ts";

const words: TableWords = {
  heads: {
    who: {
      id: ["LMS ID", "ID"],
      number: ["ID number", "SIS User ID"],
      mail: ["E-mail"],
      name: ["Learner", "Name"],
      given: ["First name"],
      family: ["Last name"],
    },
    others: ["Sections", "Gruppen", "Attended, percent"],
  },
  languages: [
    {
      heads: ["Learner", "LMS ID", "Name", "Genes, Mon 2 Mar 2026, 10:00"],
      letters: [
        ["P", "PRESENT"],
        ["A", "ABSENT"],
        ["E", "EXCUSED"],
      ],
    },
    {
      heads: ["Gruppen", "Name", "Genes, Mo., 2. März 2026, 10:00"],
      letters: [
        ["A", "PRESENT"],
        ["E", "EXCUSED"],
      ],
    },
  ],
  sessions: [
    {
      eventId: "one",
      names: ["Genes, Mon 2 Mar 2026, 10:00", "Genes, Mo., 2. März 2026, 10:00", "Genes"],
      start: { date: "2026-03-02", time: "10:00" },
    },
    {
      eventId: "two",
      names: ["Genes, Mon 9 Mar 2026, 10:00", "Genes"],
      start: { date: "2026-03-09", time: "10:00" },
    },
    {
      eventId: "three",
      names: ["Cells, Mon 16 Mar 2026, 10:00", "Cells", "Test – 1"],
      start: { date: "2026-03-16", time: "10:00" },
    },
    { eventId: "autumn", names: ["Summary"], start: { date: "2026-09-03", time: "10:00" } },
    { eventId: "some-day", names: ["Some day"], start: null },
  ],
  calendar: {
    months: new Map([
      ["mar", 3],
      ["märz", 3],
      ["marzo", 3],
    ]),
    beside: new Set(["mon", "monday", "de"]),
  },
  learners: [
    { personId: "ann", sub: "17", number: "M-0017", name: "Ann Adler", email: "Ann.Adler@example.org" },
    { personId: "ben", sub: "0018", number: "21", name: "Ben Bauer", email: null },
    { personId: "mia-1", sub: "21", number: "M-21", name: "Mia Meyer", email: "mia@example.org" },
    { personId: "mia-2", sub: "22", number: "M-22", name: "Mia Meyer", email: "mia@example.org" },
    { personId: "ali", sub: "31", number: "M-31", name: "Ali Hassan", email: null },
    { personId: "hassan", sub: "32", number: "M-31", name: "Hassan Ali", email: null },
    { personId: "not-yet-read", sub: "", number: null, name: "", email: null },
  ],
  statuses: [
    ["Present", "PRESENT"],
    ["x", "PRESENT"],
    ["Late", "LATE"],
    ["Absent", "ABSENT"],
    ["Excused", "EXCUSED"],
  ],
};

const read = (rows: readonly (readonly string[])[]) => {
  const outcome = marksInTable(rows, words);
  if (outcome.kind === "refused") throw new Error(outcome.why);
  return outcome;
};
/** Reads a heading beside a known column. */
function headRead(head: string) {
  const { marks, problems } = read([
    ["LMS ID", "Some day", head],
    ["17", "Late", "Late"],
  ]);
  return { columns: marks.map(({ eventId }) => eventId).filter((id) => id !== "some-day"), problems };
}
const mark = (personId: string, eventId: string, status: string) => ({ personId, eventId, status });

describe("a table of marks", () => {
  test.each([
    ["by the LMS's user id", "LMS ID | Cells", "17 | Late", "ann three LATE"],
    ["by name", "Learner | Cells", "Ann Adler | Late", "ann three LATE"],
    ["by a name in the order of lists", "Name | Cells", "ADLER, Ann | Late", "ann three LATE"],
    ["by id, whatever the current name", "Learner | LMS ID | Cells", "Ann Alt | 17 | P", "ann three PRESENT"],
    ["by name where the id is missing", "Learner | LMS ID | Cells", "Ben Bauer |  | P", "ben three PRESENT"],
    ["by a session's date", "LMS ID | 2026-03-09", "17 | absent", "ann two ABSENT"],
    ["by the exported head", "LMS ID | Genes, Mon 2 Mar 2026, 10:00", "17 |  excused ", "ann one EXCUSED"],
    ["by a letter in its headings' language", "LMS ID | Cells", "17 | a", "ann three ABSENT"],
    ["by a letter in another language", "Name | Gruppen | Cells", "Ann Adler |  | A", "ann three PRESENT"],
    ["by a letter that all languages share", "First name | Cells", "Ann Adler | e", "ann three EXCUSED"],
    ["by a tick", "Name | Cells", "Ann Adler | X", "ann three PRESENT"],
    ["by e-mail address", "E-mail | Cells", "ann.adler@EXAMPLE.org | P", "ann three PRESENT"],
    ["by ID number", "ID number | Cells", " m‐0017 | P", "ann three PRESENT"],
    [
      "by ID number beside an id that is not the LMS's",
      "Name | ID | SIS User ID | Cells",
      "Mia Meyer | 4711 | M-22 | P",
      "mia-2 three PRESENT",
    ],
    ["by ID number under the heading of the LMS's ids", "LMS ID | Cells", "M-21 | P", "mia-1 three PRESENT"],
    [
      "by name if an id belongs to one person in the LMS and another in the institution",
      "LMS ID | Name | Cells",
      "21 | Mia Meyer | P",
      "mia-1 three PRESENT",
    ],
    [
      "by name if two people have one ID number",
      "ID number | Name | Cells",
      "M-31 | Hassan Ali | P",
      "hassan three PRESENT",
    ],
    [
      "by name if a spreadsheet changed the ID number",
      "ID number | Name | Cells",
      "0018 | Ben Bauer | P",
      "ben three PRESENT",
    ],
    ["by an address in place of a name", "Learner | Cells", "ann.adler@example.org | P", "ann three PRESENT"],
    [
      "by name if a spreadsheet changed the id",
      "Learner | LMS ID | Cells",
      "Ben Bauer | 18 | P",
      "ben three PRESENT",
    ],
    ["by a name in two columns", "Last name | First name | Cells", "Adler | Ann | P", "ann three PRESENT"],
    [
      "by a family name under the heading “Name”",
      "Name | First name | Cells",
      "Adler | Ann | P",
      "ann three PRESENT",
    ],
    ["by a reversed name", "Name | Cells", "Bauer Ben | Late", "ben three LATE"],
    ["by a name that is another's reversed", "Name | Cells", "Ali Hassan | Late", "ali three LATE"],
    ["by that other name", "Name | Cells", "Hassan Ali | Late", "hassan three LATE"],
    ["by a family name before a comma", "Name | Cells", "Hassan, Ali | Late", "ali three LATE"],
    ["by a heading with another dash", "Name | test - 1", "Ann Adler | Late", "ann three LATE"],
  ])("is understood %s", (_how, heads, line, expected) => {
    const [personId = "", eventId = "", status = ""] = expected.split(" ");
    const marks = [mark(personId, eventId, status)];
    const table = [heads.split(" | "), line.split(" | ")];
    expect(read(table)).toEqual({ kind: "read", marks, problems: [], learners: 1, sessions: 1 });
  });

  test("ignores empty cells and columns without marks", () => {
    const { marks, problems } = read([
      ["Learner", "Sections", "Cells", "2026-03-02", "Attended, percent", ""],
      ["Ann Adler", "Morning", "", "P", "50", "spare"],
      ["Nobody we know", "", "", "", "", ""],
      ["Nobody either", "", "-", "–", "", ""],
      [],
    ]);
    expect(marks).toEqual([mark("ann", "one", "PRESENT")]);
    expect(problems).toEqual([]);
  });

  test.each([
    ["nobody has that id", ["99", "", "P"], { kind: "nobody-by-id", line: 2, text: "99" }],
    [
      "the id was changed and several people have the name",
      ["9", "Mia Meyer", "P"],
      { kind: "several", line: 2, text: "Mia Meyer" },
    ],
    [
      "the id belongs to one person in the LMS and another in the institution",
      ["21", "", "P"],
      { kind: "several", line: 2, text: "21" },
    ],
    ["nobody has that name", ["", "Zoe Zorn", "P"], { kind: "nobody", line: 2, text: "Zoe Zorn" }],
    ["two people have that name", ["", "Mia Meyer", "P"], { kind: "several", line: 2, text: "Mia Meyer" }],
    ["nobody is named", ["", "", "P"], { kind: "nobody", line: 2, text: "" }],
    [
      "the cell has no status",
      ["17", "", "was there"],
      { kind: "status", line: 2, head: "Cells", text: "was there" },
    ],
  ])("leaves a mark out when %s, and says where", (_why, line, problem) => {
    const { marks, problems } = read([["LMS ID", "Learner", "Cells"], line, ["0018", "", "Late"]]);
    expect(problems).toEqual([problem]);
    expect(marks).toEqual([mark("ben", "three", "LATE")]);
  });

  test("takes a person's first line, and a session's first column", () => {
    const { marks, problems } = read([
      ["LMS ID", "Cells", "2026-03-16", "Genes", "Remarks"],
      ["17", "P", "Late", "P", "kind"],
      ["17", "Late", "", "", ""],
    ]);
    expect(marks).toEqual([mark("ann", "three", "PRESENT")]);
    expect(problems).toEqual([
      { kind: "column-again", head: "2026-03-16" },
      { kind: "sessions", head: "Genes" },
      { kind: "no-session", head: "Remarks" },
      { kind: "again", line: 3, text: "Ann Adler" },
    ]);
  });

  test.each([
    ["an empty table", [], "empty"],
    ["a table with a head alone", [["LMS ID", "Cells"]], "empty"],
    ["a table without learners", [["Cells"], ["P"]], "no-learners"],
    [
      "a table without a session of this course",
      [
        ["LMS ID", "Chemistry"],
        ["17", "P"],
      ],
      "no-sessions",
    ],
  ])("%s is refused", (_what, rows, why) => {
    expect(marksInTable(rows, words)).toMatchObject({ kind: "refused", why });
  });

  test.each([
    ["2026-03-09", ["two"]],
    ["2026-03-09 10:00", ["two"]],
    ["2026-03-09 11:00", []],
    ["09.03.2026", ["two", "autumn"]],
    ["9.3.26", ["two", "autumn"]],
    ["16.03.2026", ["three"]],
    ["3/16/2026", ["three"]],
    ["3/16/26 10:00", ["three"]],
    ["16/3", ["three"]],
    ["16-Mar", ["three"]],
    ["Mar-16", ["three"]],
    ["Monday, 16 March 2026", []],
    ["Mon 16 Mar 2026", ["three"]],
    ["16. März 2026", ["three"]],
    ["16 de marzo de 2026", ["three"]],
    ["١٦/٣/٢٠٢٦", ["three"]],
    ["\u200f16\u200f/3\u200f/2026", ["three"]],
    ["16.03.2025", []],
    ["26-03-16", ["three"]],
    ["3", []],
    ["Mar", []],
    ["Genes 3", []],
  ])("reads a heading %j as a date of %j", (head, fitting) => {
    const { columns, problems } = headRead(head);
    const found = problems.flatMap((problem) => (problem.kind === "dates" ? problem.dates : []));
    const dates = ["2026-03-09", "2026-09-03"];
    if (fitting.length > 1) expect([columns, found]).toEqual([[], dates]);
    else expect([columns, found]).toEqual([fitting, []]);
  });

  test("asks about an ambiguous letter if the headings do not show the language", () => {
    const { marks, problems } = read([
      ["Name", "2026-03-09"],
      ["Ann Adler", "A"],
    ]);
    expect(marks).toEqual([]);
    expect(problems).toEqual([
      { kind: "letter", line: 2, head: "2026-03-09", text: "A", statuses: ["ABSENT", "PRESENT"] },
    ]);
  });
});

test("hundreds of headings and sessions of one day do not block the process", () => {
  const names = Array.from({ length: 15 }, (_none, at) => `Lesson ${at}`);
  const start = { date: "2026-03-02", time: "10:00" };
  const sessions = Array.from({ length: 500 }, (_none, at) => ({ eventId: `e${at}`, names, start }));
  const heads = Array.from({ length: 300 }, (_none, at) => `2.3.2026${".".repeat(at)}`);
  const read = marksInTable([["ID", ...heads], ["1"]], { ...words, sessions });
  expect(read).toMatchObject({ kind: "refused", why: "no-sessions" });
});
