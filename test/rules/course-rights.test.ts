import { describe, expect, test } from "vitest";
import { capabilitiesOf, courseRightsOf, isLearner } from "../../src/domain/course-rights.ts";

const lis = "http://purl.imsglobal.org/vocab/lis/v2";

/** Adds the vocabulary that an LIS role may leave out. */
const whole = (role: string) => (/^(membership|institution|system)\b/.test(role) ? `${lis}/${role}` : role);

describe("what a person may do in a course", () => {
  test.each([
    ["an instructor", ["membership#Instructor"], "instructor"],
    ["an instructor by the deprecated short name", ["Instructor"], "instructor"],
    ["a teaching assistant", ["membership/Instructor#TeachingAssistant"], "instructor"],
    ["a teaching assistant by the sub-role alone", ["membership#TeachingAssistant"], "instructor"],
    ["a teaching assistant by the short name", ["TeachingAssistant"], "instructor"],
    ["an instructor as LTI 1.1 has it", ["urn:lti:role:ims/lis/Instructor/GuestInstructor"], "instructor"],
    ["a learner as LTI 1.1 has it", ["urn:lti:role:ims/lis/Learner"], "learner"],
    [
      "an administrator of the institution as LTI 1.1 has it",
      ["urn:lti:instrole:ims/lis/Administrator"],
      "learner",
    ],
    ["a course designer", ["membership#ContentDeveloper"], "instructor"],
    ["a course administrator", ["membership#Administrator"], "instructor"],
    ["a learner", ["membership#Learner"], "learner"],
    ["a learner whose sub-role sounds like teaching", ["membership/Learner#Instructor"], "learner"],
    ["a mentor", ["membership#Mentor"], "learner"],
    [
      "faculty of the institution who studies here",
      ["institution/person#Faculty", "membership#Learner"],
      "learner",
    ],
    ["an administrator of the institution", ["institution/person#Administrator"], "learner"],
    ["an administrator of the system", ["system/person#Administrator"], "learner"],
    [
      "somebody with an instructor's role in the institution only",
      ["institution/person#Instructor"],
      "learner",
    ],
    ["an unknown role", ["urn:x-lms:Wizard"], "learner"],
    ["a role that begins like a known one", ["membership#InstructorX"], "learner"],
    ["no role", [], "learner"],
    ["a blank role", [""], "learner"],
    ["a teacher who is also a learner", ["membership#Learner", "membership#Instructor"], "instructor"],
  ])("%s", (_who, roles, role) => expect(courseRightsOf(roles.map(whole)).role).toBe(role));

  test("a preview student is recognised", () => {
    const roles = [`${lis}/membership#Learner`, "http://purl.imsglobal.org/vocab/lti/system/person#TestUser"];
    expect(courseRightsOf(roles)).toEqual({ role: "learner", staffRole: null, testUser: true });
  });

  test("only somebody listed as a learner is a student", () => {
    expect(isLearner(["Learner"])).toBe(true);
    expect(isLearner([`${lis}/membership#Learner`])).toBe(true);
    expect(isLearner([`${lis}/membership/Learner#GuestLearner`])).toBe(true);
    expect(isLearner(["urn:lti:role:ims/lis/Learner/NonCreditLearner"])).toBe(true);
    expect(isLearner([`${lis}/membership#Mentor`])).toBe(false);
    expect(isLearner([`${lis}/membership#LearnerX`, ""])).toBe(false);
  });
});

const staffOf = (...names: string[]) => courseRightsOf(names.map((name) => `${lis}/${name}`)).staffRole;

describe("which kind of staff a person is", () => {
  test.each([
    ["a teacher", ["membership#Instructor"], "teacher"],
    ["a teaching assistant of Canvas", ["membership/Instructor#TeachingAssistant"], "teacher"],
    ["a designer of Canvas", ["membership#ContentDeveloper"], "developer"],
    ["a designer by the sub-role alone", ["membership/ContentDeveloper#ContentExpert"], "developer"],
    ["an administrator of the course", ["membership#Administrator"], "administrator"],
    ["a manager", ["membership#Manager"], "manager"],
    ["an observer by a manager's sub-role", ["membership/Manager#Observer"], "manager"],
    ["a designer who also teaches", ["membership#ContentDeveloper", "membership#Instructor"], "teacher"],
    [
      "an administrator of the school who designs",
      ["institution/person#Administrator", "membership#ContentDeveloper"],
      "developer",
    ],
    ["a learner", ["membership#Learner"], null],
    ["a learner whose sub-role sounds like designing", ["membership/Learner#ContentDeveloper"], null],
    ["an officer", ["membership#Officer"], null],
  ])("%s", (_who, roles, staffRole) => expect(staffOf(...roles)).toBe(staffRole));
});

describe("what staff may do", () => {
  const all = ["settings", "grades", "corrections"];
  test.each([
    ["a teacher", "teacher", {}, all],
    ["a teacher, whatever is said of others", "teacher", { developer: "arrange" }, all],
    ["a designer of whom nobody has said anything", "developer", undefined, ["settings"]],
    ["a designer who is to arrange", "developer", { developer: "arrange" }, ["settings"]],
    ["a designer who is let teach", "developer", { developer: "teach" }, all],
    ["an administrator while designers are let teach", "administrator", { developer: "teach" }, ["settings"]],
    ["a manager who is let teach", "manager", { manager: "teach" }, all],
    [
      "a learner while all staff is let teach",
      null,
      { developer: "teach", administrator: "teach", manager: "teach" },
      [],
    ],
  ] as const)("%s", (_who, role, levels, may) => expect(capabilitiesOf(role, levels)).toEqual(may));
});
