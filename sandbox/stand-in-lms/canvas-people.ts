// From: substitutions_helper.rb.
import type { Lms } from "./lms.ts";
import type { LmsRole } from "./lms-seed.ts";
import { enrolmentOf } from "./lms-world.ts";
import type { Course, Person, Tool } from "./lms-records.ts";

const vocabulary = "http://purl.imsglobal.org/vocab/lis/v2";
const testUser = "http://purl.imsglobal.org/vocab/lti/system/person#TestUser";

/** As in the roster; an assistant has the principal role, too. */
const courseRoles: Record<LmsRole, readonly string[]> = {
  teacher: [`${vocabulary}/membership#Instructor`],
  "non-editing-teacher": [
    `${vocabulary}/membership#Instructor`,
    `${vocabulary}/membership/Instructor#TeachingAssistant`,
  ],
  manager: [`${vocabulary}/membership#ContentDeveloper`],
  designer: [`${vocabulary}/membership#ContentDeveloper`],
  observer: [`${vocabulary}/membership#Mentor`],
  student: [`${vocabulary}/membership#Learner`],
  "test-user": [`${vocabulary}/membership#Learner`, testUser],
};

const institutionRoles: Record<LmsRole, string> = {
  teacher: "Instructor",
  "non-editing-teacher": "Instructor",
  manager: "Instructor",
  designer: "Instructor",
  observer: "Observer",
  student: "Student",
  "test-user": "Student",
};

export function canvasRosterRoles(role: LmsRole): readonly string[] {
  return courseRoles[role];
}

/** Course, institution and system roles. An account admin outside the course has no course role, a visitor of a public course none. */
export function canvasLaunchRoles(course: Course, person: Person): string[] {
  if (person.anonymous === true) return [`${vocabulary}/system/person#None`];
  const role = enrolmentOf(course, person.id)?.role;
  const institution = [
    ...(role === undefined ? [] : [institutionRoles[role]]),
    ...(person.admin ? ["Administrator"] : []),
  ];
  return [
    ...institution.map((name) => `${vocabulary}/institution/person#${name}`),
    ...(role === undefined ? [] : courseRoles[role]),
    `${vocabulary}/system/person#User`,
  ];
}

/** The account's setting and the tool's privacy level must both allow it. */
export function canvasShares(lms: Lms, tool: Tool): { names: boolean; email: boolean } {
  const { sharing } = lms.world;
  return { names: sharing.names && tool.shares.names, email: sharing.email && tool.shares.email };
}
