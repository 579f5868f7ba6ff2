import { describe, expect, test } from "vitest";
import {
  deploymentOfScope,
  isKnownIn,
  isShared,
  personScope,
  scopeAfterMove,
  scopeInCourse,
  sharedScope,
} from "../../src/domain/person-scope.ts";

const canvas = { idsHoldWithin: "registration" } as const;
const moodle = { idsHoldWithin: "deployment" } as const;
const home = { environment: "production" };
const course = (environment: string, deploymentId = "7") => ({
  registrationId: "reg_1",
  deploymentId,
  environment,
});

describe("the scope in which people of a course are known", () => {
  test.each([
    ["of the LMS's first account, by deployment", moodle, course("production"), "7"],
    ["of the LMS's first account, in a Canvas", canvas, course("production"), ""],
    ["of another account, by deployment", moodle, course("north"), "account:north:7"],
    ["of another account, in a Canvas", canvas, course("north"), "account:north:"],
  ] as const)("%s", (_of, product, place, deploymentId) => {
    expect(personScope(product, home, place)).toEqual({ registrationId: "reg_1", deploymentId });
  });

  test("without LMS product is the course's deployment, separate by account", () => {
    expect(scopeInCourse(home, course("production")).deploymentId).toBe("7");
    expect(scopeInCourse(home, course("north")).deploymentId).toBe("account:north:7");
    expect(scopeInCourse(null, course("north")).deploymentId).toBe("7");
  });

  test.each([
    ["7", "", false, "7"],
    ["", "", true, null],
    ["account:north:7", "account:north:", false, "7"],
    ["account:north:", "account:north:", true, null],
    ["install account:north:7", "", false, "install account:north:7"],
  ])("shared with %j is %j", (place, shared, isIt, deployment) => {
    expect(sharedScope(place)).toBe(shared);
    expect(isShared(place)).toBe(isIt);
    expect(deploymentOfScope(place)).toBe(deployment);
  });

  test("keeps a person who moves with their LMS in their account", () => {
    expect(scopeAfterMove(moodle, "7", "9")).toBe("9");
    expect(scopeAfterMove(moodle, "account:north:7", "9")).toBe("account:north:9");
    expect(scopeAfterMove(canvas, "account:north:7", "9")).toBe("account:north:");
  });
});

describe("somebody is known in a course", () => {
  const person = (deploymentId: string, environment: string) => ({
    registrationId: "reg_1",
    deploymentId,
    environment,
  });
  test.each([
    ["of their deployment", person("7", "production"), course("production"), true],
    ["of any, where all share people", person("", "production"), course("production", "9"), true],
    ["not of another deployment", person("7", "production"), course("production", "9"), false],
    ["not of another account", person("7", "production"), course("north"), false],
    ["of their own account", person("account:north:7", "north"), course("north"), true],
    [
      "of their own account, where all share people",
      person("account:north:", "north"),
      course("north", "9"),
      true,
    ],
    ["not of an account beside theirs", person("account:north:", "north"), course("south"), false],
  ] as const)("%s", (_which, who, where, known) => expect(isKnownIn(who, where)).toBe(known));

  test("not in another LMS", () => {
    expect(isKnownIn({ ...person("7", "production"), registrationId: "reg_2" }, course("production"))).toBe(
      false,
    );
  });
});
