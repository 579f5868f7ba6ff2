import { expect, test } from "vitest";
import type { StaffRole } from "../../src/domain/course-rights.ts";
import { launchLeadsTo } from "../../src/modules/launch/home.ts";

const learner = { role: "learner", staffRole: null } as const;
const staff = (staffRole: StaffRole) => ({ role: "instructor", staffRole }) as const;

test.each([
  [learner, { learners: "space", instructors: "page" }, "space"],
  [learner, { learners: "near", instructors: "space" }, "near"],
  [learner, { learners: "page", instructors: "space" }, "page"],
  [staff("teacher"), { learners: "space", instructors: "page" }, "page"],
  [staff("teacher"), { learners: "page", instructors: "space" }, "space"],
  [staff("developer"), { learners: "space", instructors: "space" }, "page"],
  [staff("administrator"), { learners: "space", instructors: "space" }, "page"],
  [staff("manager"), { learners: "space", instructors: "space" }, "page"],
] as const)("a launch of %o in a course with %o leads to: %s", (reader, settings, leadsTo) => {
  expect(launchLeadsTo(reader, settings)).toBe(leadsTo);
});
