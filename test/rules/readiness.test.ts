import { expect, test } from "vitest";
import { gapsOf, type ReadinessFacts } from "../../src/modules/operations/readiness.ts";

const ready: ReadinessFacts = {
  listsPeople: true,
  rosterReadAt: 1,
  rosterFailed: false,
  people: 30,
  isPart: false,
  named: 30,
  mailed: 28,
  sections: 1,
  everybodyHasSection: true,
  hasColumn: true,
  wantsColumn: true,
  mayHaveColumn: true,
};

test.each<[string, Partial<ReadinessFacts>, string[]]>([
  ["nothing", {}, []],
  ["a column, which comes with the first score", { hasColumn: false }, []],
  ["a column, which nobody wants", { hasColumn: false, mayHaveColumn: false, wantsColumn: false }, []],
  ["a right to the gradebook", { hasColumn: false, mayHaveColumn: false }, ["column"]],
  ["some e-mail addresses", { mailed: 15 }, []],
  ["most e-mail addresses", { mailed: 14 }, ["email"]],
  ["names and e-mail addresses", { named: 1, mailed: 0 }, ["names", "email"]],
  ["people", { people: 0, named: 0, mailed: 0 }, []],
  ["sections, in an LMS where everybody has one", { sections: 0 }, ["sections"]],
  ["groups, which are optional", { sections: 0, everybodyHasSection: false }, []],
  ["a list of people that was ever read", { rosterReadAt: null }, ["unread"]],
  ["a list of people that can be read now", { rosterFailed: true }, ["failed"]],
  ["the address of the list", { listsPeople: false, rosterReadAt: null, rosterFailed: true }, ["not-told"]],
])("a course without %s", (_what, change, gaps) => {
  expect(gapsOf({ ...ready, ...change })).toEqual(gaps);
});
