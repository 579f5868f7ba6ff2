import { describe, expect, test } from "vitest";
import { changedName, provisioningRetryAfter, willEnter } from "../../src/domain/provisioning.ts";

const student = { role: "learner", active: true, testUser: false, student: true } as const;

describe("somebody who will enter", () => {
  test.each([
    ["a student", {}, true],
    ["an instructor, whom no list calls a student", { role: "instructor", student: false }, true],
    ["a mentor or a guest", { student: false }, false],
    ["a preview student", { testUser: true }, false],
    ["a student who has left", { active: false }, false],
    ["an instructor who has left", { role: "instructor", active: false }, false],
  ] as const)("is %s: %o is %s", (_who, change, enters) => {
    expect(willEnter({ ...student, ...change })).toBe(enters);
  });
});

describe("the name to tell the classroom", () => {
  const ana = {
    name: "Ana Ruiz",
    givenName: "Ana",
    familyName: "Ruiz",
    apiUserId: "user_1",
    apiUserName: "Ana Ruiz",
  };
  test.each([
    ["nothing when it knows it", {}, null],
    ["the new one when the LMS has another", { name: "Ana Soto" }, "Ana Soto"],
    [
      "nothing when the LMS withholds names from now on",
      { name: null, givenName: null, familyName: null },
      null,
    ],
    ["the name when it has a pseudonym", { apiUserName: "Learner 7" }, "Ana Ruiz"],
    ["the parts when the LMS tells no whole name", { name: " ", apiUserName: "Learner 7" }, "Ana Ruiz"],
    ["nothing before there is an API user", { apiUserId: null, apiUserName: null, name: "New" }, null],
    ["nothing when it is not known what it was given", { apiUserName: null, name: "New" }, null],
    [
      "no pseudonym for another one, as of somebody who teaches one course and learns in another",
      { name: null, givenName: null, familyName: "", apiUserName: "Instructor 7" },
      null,
    ],
  ] as const)("is %s", (_what, change, told) => {
    expect(changedName({ ...ana, ...change })).toBe(told);
  });
});

test("failures are tried again after half a minute, then twice as long each time, up to half an hour", () => {
  const minutes = [1, 2, 3, 7, 8, 1_000].map((attempts) => provisioningRetryAfter(attempts) / 60_000);
  expect(minutes).toEqual([0.5, 1, 2, 30, 30, 30]);
});
