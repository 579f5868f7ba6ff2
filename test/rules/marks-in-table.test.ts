import { describe, expect, test } from "vitest";
import { marksInTable, type TableWords } from "../../src/modules/attendance/rules/marks-in-table.ts";

const words: TableWords = {
  heads: { ids: ["LMS id"], names: ["Learner", "Name"], others: ["Sections", "Attended, percent"] },
  sessions: [
    { eventId: "one", names: ["Genes, Mon 2 Mar 2026, 10:00", "Genes", "2026-03-02"] },
    { eventId: "two", names: ["Genes, Mon 9 Mar 2026, 10:00", "Genes", "2026-03-09"] },
    { eventId: "three", names: ["Cells, Mon 16 Mar 2026, 10:00", "Cells", "2026-03-16"] },
  ],
  learners: [
    { personId: "ann", sub: "17", name: "Ann Adler" },
    { personId: "ben", sub: "18", name: "Ben Bauer" },
    { personId: "mia-1", sub: "21", name: "Mia Meyer" },
    { personId: "mia-2", sub: "22", name: "Mia Meyer" },
  ],
  statuses: [
    ["P", "PRESENT"],
    ["A", "ABSENT"],
    ["Present", "PRESENT"],
    ["Late", "LATE"],
    ["Absent", "ABSENT"],
    ["Excused", "EXCUSED"],
    // In another language "A" is somebody present: the reader's letter stands before.
    ["A", "PRESENT"],
  ],
};

const read = (rows: readonly (readonly string[])[]) => {
  const outcome = marksInTable(rows, words);
  if (outcome.kind === "refused") throw new Error(outcome.why);
  return outcome;
};
const mark = (personId: string, eventId: string, status: string) => ({ personId, eventId, status });

describe("a table of marks", () => {
  test.each([
    ["by the LMS's user id", ["LMS id", "Cells"], ["17", "Late"], mark("ann", "three", "LATE")],
    ["by name", ["Learner", "Cells"], ["Ann Adler", "Late"], mark("ann", "three", "LATE")],
    ["by a name as lists have it", ["Name", "Cells"], ["ADLER, Ann", "Late"], mark("ann", "three", "LATE")],
    [
      "by id, whatever the name is now",
      ["Learner", "LMS id", "Cells"],
      ["Ann Alt", "17", "P"],
      mark("ann", "three", "PRESENT"),
    ],
    [
      "by name where the id is missing",
      ["Learner", "LMS id", "Cells"],
      ["Ben Bauer", "", "P"],
      mark("ben", "three", "PRESENT"),
    ],
    ["by a session's date", ["LMS id", "2026-03-09"], ["17", "absent"], mark("ann", "two", "ABSENT")],
    [
      "by the exported head",
      ["LMS id", "Genes, Mon 2 Mar 2026, 10:00"],
      ["17", " excused "],
      mark("ann", "one", "EXCUSED"),
    ],
    ["by the reader's letter", ["LMS id", "Cells"], ["17", "a"], mark("ann", "three", "ABSENT")],
  ])("is understood %s", (_how, heads, line, expected) => {
    expect(read([heads, line])).toEqual({
      kind: "read",
      marks: [expected],
      problems: [],
      learners: 1,
      sessions: 1,
    });
  });

  test("says nothing in empty cells, nor in columns that carry no marks", () => {
    const { marks, problems } = read([
      ["Learner", "Sections", "Cells", "2026-03-02", "Attended, percent", ""],
      ["Ann Adler", "Morning", "", "P", "50", "spare"],
      ["Nobody we know", "", "", "", "", ""],
      [],
    ]);
    expect(marks).toEqual([mark("ann", "one", "PRESENT")]);
    expect(problems).toEqual([]);
  });

  test.each([
    ["nobody has that id", ["99", "", "P"], { kind: "nobody", line: 2, text: "99" }],
    ["nobody has that name", ["", "Zoe Zorn", "P"], { kind: "nobody", line: 2, text: "Zoe Zorn" }],
    ["two people have that name", ["", "Mia Meyer", "P"], { kind: "several", line: 2, text: "Mia Meyer" }],
    ["nobody is named", ["", "", "P"], { kind: "nobody", line: 2, text: "" }],
    [
      "it is no status",
      ["17", "", "was there"],
      { kind: "status", line: 2, head: "Cells", text: "was there" },
    ],
  ])("leaves a mark out when %s, and says where", (_why, line, problem) => {
    const { marks, problems } = read([["LMS id", "Learner", "Cells"], line, ["18", "", "Late"]]);
    expect(problems).toEqual([problem]);
    expect(marks).toEqual([mark("ben", "three", "LATE")]);
  });

  test("takes the first line of somebody, and the first column of a session", () => {
    const { marks, problems } = read([
      ["LMS id", "Cells", "2026-03-16", "Genes", "Remarks"],
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
    ["without anything", [], "empty"],
    ["with a head alone", [["LMS id", "Cells"]], "empty"],
    ["that doesn't say who", [["Cells"], ["P"]], "no-learners"],
    [
      "without a session of this course",
      [
        ["LMS id", "Chemistry"],
        ["17", "P"],
      ],
      "no-sessions",
    ],
  ])("%s is refused", (_what, rows, why) => {
    expect(marksInTable(rows, words)).toEqual({ kind: "refused", why });
  });
});
