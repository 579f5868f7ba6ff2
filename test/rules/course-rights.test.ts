import { describe, expect, test } from "vitest";
import { courseRightsOf, isLearner } from "../../src/domain/course-rights.ts";

const lis = "http://purl.imsglobal.org/vocab/lis/v2";

describe("what a person may do in a course", () => {
  test.each([
    ["an instructor", [`${lis}/membership#Instructor`], "instructor"],
    ["an instructor by the deprecated short name", ["Instructor"], "instructor"],
    ["a teaching assistant", [`${lis}/membership/Instructor#TeachingAssistant`], "instructor"],
    ["a course designer", [`${lis}/membership#ContentDeveloper`], "instructor"],
    ["a course administrator", [`${lis}/membership#Administrator`], "instructor"],
    ["a learner", [`${lis}/membership#Learner`], "learner"],
    ["a learner whose sub-role sounds like teaching", [`${lis}/membership/Learner#Instructor`], "learner"],
    ["a mentor", [`${lis}/membership#Mentor`], "learner"],
    [
      "faculty of the institution who studies here",
      [`${lis}/institution/person#Faculty`, `${lis}/membership#Learner`],
      "learner",
    ],
    ["an administrator of the institution", [`${lis}/institution/person#Administrator`], "learner"],
    ["an administrator of the system", [`${lis}/system/person#Administrator`], "learner"],
    [
      "somebody with an instructor's role in the institution only",
      [`${lis}/institution/person#Instructor`],
      "learner",
    ],
    ["a role nobody knows", ["urn:x-lms:Wizard"], "learner"],
    ["a role that begins like a known one", [`${lis}/membership#InstructorX`], "learner"],
    ["no role", [], "learner"],
    ["a blank role", [""], "learner"],
    [
      "a teacher who is also a learner",
      [`${lis}/membership#Learner`, `${lis}/membership#Instructor`],
      "instructor",
    ],
  ])("%s", (_who, roles, role) => {
    expect(courseRightsOf(roles).role).toBe(role);
  });

  test("a preview student is recognised", () => {
    const roles = [`${lis}/membership#Learner`, "http://purl.imsglobal.org/vocab/lti/system/person#TestUser"];
    expect(courseRightsOf(roles)).toEqual({ role: "learner", testUser: true });
  });

  test("only who is listed as a learner is a student", () => {
    expect(isLearner(["Learner"])).toBe(true);
    expect(isLearner([`${lis}/membership#Learner`])).toBe(true);
    expect(isLearner([`${lis}/membership/Learner#GuestLearner`])).toBe(true);
    expect(isLearner([`${lis}/membership#Mentor`])).toBe(false);
    expect(isLearner([`${lis}/membership#LearnerX`, ""])).toBe(false);
  });
});
