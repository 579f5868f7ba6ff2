import { expect, test } from "vitest";
import { finding } from "../../src/classroom/doctor/finding.ts";
import { doctorText } from "../../src/cli/doctor.ts";

const note = finding("note", "service", "It could not be found out.");
const wrong = finding("wrong", "key", "It is refused.");

test.each([
  ["nothing", [], "Nothing is wrong."],
  ["one note", [note], "Nothing is wrong. One note is worth a look."],
  ["notes beside what is wrong", [note, wrong, note], "One thing is wrong. 2 notes are worth a look."],
])("the doctor sums up, after %s", (_what, tool, summary) => {
  const report = { checkedAt: 0, well: true, environments: [] };
  const all = [finding("fine", "address", "It leads here."), ...tool];
  expect(
    doctorText({ ...report, tool: all })
      .split("\n")
      .at(-1),
  ).toBe(summary);
});
