import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  type KnownMember,
  type ListedPerson,
  previewsAsLearner,
  memberAfterRoster,
  roleAfterRoster,
  rosterIsDue,
} from "../../src/modules/members/rules/roster.ts";
import { listNameOf } from "../../src/domain/person.ts";
import { sectionIdsOf } from "../../src/domain/section.ts";
import { searchKey, sectionNamesOf } from "../../src/modules/members/rules/names.ts";
import { capabilitiesOf } from "../../src/lms/products/products.ts";
import { NamedError } from "../../src/kernel/errors.ts";
import { retryAfter, retryPolicies } from "../../src/tasks/task-kind.ts";

const custom = (ids: string, names: string) => ({ spaces_section_ids: ids, spaces_section_names: names });

describe("the sections of a person", () => {
  test.each([
    ["Canvas's ids", { spaces_section_ids: "12,7" }, ["12", "7"]],
    ["ids with the blanks of Canvas's documentation", { spaces_section_ids: "12, 7 ,12" }, ["12", "7"]],
    ["Moodle's group ids", { spaces_moodle_groups: "1,2" }, ["1", "2"]],
    ["empty if the LMS lists none", { spaces_moodle_groups: "" }, []],
    ["not longer than an id may be", { spaces_moodle_groups: `${"9".repeat(256)},7` }, ["7"]],
  ])("are %s", (_what, given, ids) => expect(sectionIdsOf(given)).toEqual(ids));
  test("are unknown, not empty, if the LMS does not send them", () => {
    expect(sectionIdsOf({ other: "1" })).toBeNull();
  });
});

describe("names of sections", () => {
  test.each([
    ["belong to one id each, in order", "3,4", '["Morning","Evening"]', ["3 Morning", "4 Evening"]],
    ["are assigned to ids in ascending order", "10,9", '["Nine","Ten"]', ["9 Nine", "10 Ten"]],
    [
      "are assigned to ids longer than a number holds exactly",
      "10000000000000002,10000000000000001",
      '["One","Two"]',
      ["10000000000000001 One", "10000000000000002 Two"],
    ],
    ["are trimmed, as ids are", " 3 , 4 ", '[" Morning ","Evening"]', ["3 Morning", "4 Evening"]],
    ["may repeat for two roles in one section", "3", '["Morning","Morning"]', ["3 Morning"]],
  ])("%s", (_what, ids, names, expected) => {
    expect([...sectionNamesOf(custom(ids, names))].map((pair) => pair.join(" "))).toEqual(expected);
  });

  test.each([
    ["more names than ids: the order is unclear", "3,4", '["Morning","Morning","Evening"]'],
    ["fewer names than ids", "3,4", '["Morning"]'],
    ["one id with two different names", "3", '["Morning","Evening"]'],
    ["not JSON", "3", "Morning"],
    ["not a list", "3", '{"3":"Morning"}'],
    ["an unsubstituted variable", "3", "$com.instructure.User.sectionNames"],
    ["names that are not texts", "3", "[7]"],
    ["blank names", "3", '["  "]'],
    ["no section", "", "[]"],
  ])("are ignored: %s", (_what, ids, names) => {
    expect([...sectionNamesOf(custom(ids, names))]).toEqual([]);
  });
});

const roles = z.enum(["instructor", "learner"]);
const startedAt = 1_000;
const known: KnownMember = {
  role: "learner",
  roleFrom: "launch",
  student: true,
  active: true,
  testUser: false,
  sectionIds: ["1"],
  listName: "carter ben",
  lastLaunchAt: 500,
};
const listed: ListedPerson = {
  role: "learner",
  student: true,
  active: true,
  sectionIds: ["1"],
  listName: "carter ben",
};

describe("the role of a member after a roster", () => {
  test.each([
    ["a roster overrides an older roster", "other: learner by roster, listed instructor", "instructor"],
    ["a roster overrides an older launch", "canvas: learner by launch, listed instructor", "instructor"],
    ["a teacher who became a student in Canvas", "canvas: instructor by launch, listed learner", "learner"],
    ["Moodle's non-editing teacher", "moodle: instructor by launch, listed learner", "instructor"],
    ["Moodle's teacher known only from rosters", "moodle: instructor by roster, listed learner", "learner"],
    ["a student made a teacher in Moodle", "moodle: learner by launch, listed instructor", "instructor"],
    ["a launch while the roster was read", "canvas: learner by launch since, listed instructor", "learner"],
  ])("%s", (_what, words, expected) => {
    const [, family, role, roleFrom, since, listedRole] = z
      .tuple([z.string(), z.enum(["other", "canvas", "moodle"]), roles, z.enum(["roster", "launch"])])
      .rest(z.string().optional())
      .parse(/^(\w+): (\w+) by (\w+)( since)?, listed (\w+)$/.exec(words));
    const lastLaunchAt = roleFrom === "roster" ? null : since === undefined ? 500 : startedAt;
    const known = { product: capabilitiesOf({ family }), startedAt };
    expect(roleAfterRoster({ role, roleFrom, lastLaunchAt }, roles.parse(listedRole), known).role).toBe(
      expected,
    );
  });
});

test.each([
  ["looks at the course as a student", "instructor", "instructor", "learner", true],
  ["comes as an instructor", "instructor", "instructor", "instructor", false],
  ["is demoted, by a launch before any roster", "instructor", null, "learner", false],
  ["is demoted, and the latest roster says so, too", "instructor", "learner", "learner", false],
  [
    "was an instructor by one launch (Moodle's non-editing teacher)",
    "instructor",
    "learner",
    "learner",
    false,
  ],
  ["is a learner here", "learner", null, "learner", false],
] as const)("whether it is a preview for somebody who %s", (_what, role, listedRole, launched, looks) => {
  const listed = listedRole === null ? null : { role: listedRole, since: 1 };
  expect(previewsAsLearner({ role, listed }, launched)).toBe(looks);
});

describe("a member after a roster", () => {
  const after = (change: Partial<KnownMember>, list: Partial<ListedPerson> | null) =>
    memberAfterRoster({ ...known, ...change }, list === null ? null : { ...listed, ...list }, {
      product: capabilitiesOf({ family: "canvas" }),
      startedAt,
    });
  test.each([
    ["listed as known: nothing to write", {}, {}, {}],
    ["absent: inactive", {}, null, { active: false }],
    ["absent and inactive already", { active: false }, null, {}],
    ["listed as inactive", {}, { active: false }, { active: false }],
    ["listed again", { active: false }, {}, { active: true }],
    ["moved to another section", {}, { sectionIds: ["2"] }, { sectionIds: ["2"] }],
    ["in no section any more", {}, { sectionIds: [] }, { sectionIds: [] }],
    ["a list that does not tell sections leaves them", {}, { sectionIds: null }, {}],
    ["renamed", {}, { listName: "smith ben" }, { listName: "smith ben" }],
    ["launched while the list was being read, and absent from it", { lastLaunchAt: 1_000 }, null, {}],
    ["a preview student is in no list and not taken off", { testUser: true }, null, {}],
    ["a guest who became a learner", { student: false }, {}, { student: true }],
    [
      "a teacher who learns here, too",
      { role: "instructor", student: false, listed: { role: "instructor", since: 1 } },
      { role: "instructor" },
      { student: true },
    ],
  ] as const)("%s", (_what, change, list, expected) => expect(after(change, list)).toEqual(expected));

  test("Moodle's non-editing teacher, whom its roster lists as a learner, is not graded", () => {
    const teacher = { ...known, role: "instructor", student: false, lastLaunchAt: 500 } as const;
    const product = capabilitiesOf({ family: "moodle" });
    expect(memberAfterRoster(teacher, listed, { product, startedAt })).not.toHaveProperty("student");
  });
});

describe("the sort key of a person", () => {
  const person = { name: null, givenName: null, familyName: null, sub: "Sub-7" };
  test.each([
    ["family name first, without accents", { givenName: "Zoë", familyName: "Åkesson" }, "akesson zoe"],
    ["a single name", { name: "Cher" }, "cher"],
    ["another alphabet stays", { givenName: "小明", familyName: "王" }, "王 小明"],
    ["only an id", {}, "sub-7"],
    [
      "as a search writes it (superscripts, half-width letters)",
      { name: "Mª ﾀﾅｶ" },
      searchKey("M\u200cª ﾀﾅｶ"),
    ],
    ["without invisible characters", { name: "علی\u200cرضا" }, "علیرضا"],
  ])("%s", (_what, given, expected) => expect(listNameOf({ ...person, ...given })).toBe(expected));
});

describe("when a roster is read", () => {
  const hour = 3_600_000;
  test.each([
    ["never read", { state: "idle", finishedAt: 0 }, true],
    ["read just now", { state: "done", finishedAt: 100 * hour - 1 }, false],
    ["read more than an hour ago", { state: "done", finishedAt: 99 * hour }, true],
    ["failed more than an hour ago", { state: "failed", finishedAt: 98 * hour }, true],
    ["about to be read", { state: "waiting", finishedAt: 0 }, false],
    ["being read", { state: "running", finishedAt: 0 }, false],
  ] as const)("%s", (_what, sync, due) => expect(rosterIsDue(sync, 100 * hour)).toBe(due));

  test("a temporary failure is retried later and later, as late as the LMS asks, but not forever", () => {
    const after = (attempt: number, details = {}) => {
      const failure = new NamedError("lms-failed", "busy", { temporary: true, details });
      return retryAfter(retryPolicies.rosters, attempt, failure);
    };
    expect([1, 2, 3, 8, 10].map((attempt) => after(attempt))).toEqual([
      5_000, 10_000, 20_000, 600_000, 600_000,
    ]);
    expect(after(1, { retryAfterMs: 60_000 })).toBe(60_000);
    expect(after(11)).toBeNull();
    expect(retryAfter(retryPolicies.rosters, 1, new NamedError("roster-empty", "no"))).toBeNull();
  });
});
