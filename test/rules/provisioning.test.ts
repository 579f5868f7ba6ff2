import { describe, expect, test } from "vitest";
import { noApiUsers } from "../../src/domain/person.ts";
import {
  provisioningRetryAfter,
  usersToRename,
  willEnter,
} from "../../src/modules/members/rules/provisioning.ts";

const student = { role: "learner", active: true, testUser: false, student: true } as const;

test.each([
  ["a student", {}, true],
  ["an instructor no list calls a student", { role: "instructor", student: false }, true],
  ["a mentor or a guest", { student: false }, false],
  ["a preview student", { testUser: true }, false],
  ["a student who has left", { active: false }, false],
  ["an instructor who has left", { role: "instructor", active: false }, false],
] as const)("a person who will enter is %s: %o is %s", (_who, change, enters) => {
  expect(willEnter({ ...student, ...change })).toBe(enters);
});

describe("sending a name to the classroom", () => {
  const ana = { name: "Ana Ruiz", givenName: "Ana", familyName: "Ruiz" };
  const user = (id: string, name: string | null) => ({ id, name });
  const known = { ...noApiUsers, participant: user("user_1", "Ana Ruiz") };
  const asPseudonym = { ...noApiUsers, participant: user("user_1", "Learner 7") };
  const asBoth = { ...asPseudonym, host: user("user_2", "Instructor 7") };
  const nameless = { name: null, givenName: null, familyName: "" };
  test.each([
    ["nobody when the name is the same", known, {}, []],
    ["a user with a new name in the LMS", known, { name: "Ana Soto" }, ["user_1"]],
    ["nobody when the LMS begins to withhold names", known, nameless, []],
    ["a user with a pseudonym who now has a name", asPseudonym, {}, ["user_1"]],
    ["a user with a pseudonym who now has name parts", asPseudonym, { name: " " }, ["user_1"]],
    ["nobody before there is an API user", noApiUsers, { name: "New" }, []],
    ["nobody whose earlier name is unknown", { ...known, participant: user("u", null) }, {}, []],
    ["nobody with a pseudonym in each role", asBoth, nameless, []],
    ["the users of both roles", asBoth, {}, ["user_2", "user_1"]],
    ["a user whose role is unknown", { ...noApiUsers, unknown: user("user_3", "Ana") }, {}, ["user_3"]],
    ["one user with both roles once", { ...asPseudonym, host: asPseudonym.participant }, {}, ["user_1"]],
  ])("needs a call for %s", (_who, apiUsers, change, told) => {
    expect(usersToRename({ ...ana, ...change, apiUsers }).map(({ id }) => id)).toEqual(told);
  });
});

test("is retried after half a minute, then twice as long each time, up to half an hour", () => {
  const minutes = [1, 2, 3, 7, 8, 1_000].map((attempts) => provisioningRetryAfter(attempts) / 60_000);
  expect(minutes).toEqual([0.5, 1, 2, 30, 30, 30]);
});
