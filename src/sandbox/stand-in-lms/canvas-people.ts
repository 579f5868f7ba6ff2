import type { Lms } from "./lms.ts";
import type { LmsRole } from "./lms-seed.ts";
import { enrolmentOf } from "./lms-world.ts";
import type { Course, Person, Tool } from "./lms-records.ts";

const vocabulary = "http://purl.imsglobal.org/vocab/lis/v2";
const testUser = "http://purl.imsglobal.org/vocab/lti/system/person#TestUser";

/** Roles in a course as the roster tells them; an assistant comes with the principal role, too. */
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

/** The roles of somebody who has this role in the course; the roster tells no others. */
export function canvasRosterRoles(role: LmsRole): readonly string[] {
  return courseRoles[role];
}

/**
 * The `roles` of a launch: course, institution and system roles together. An account admin without a place in the
 * course has no course role at all; a visitor of a public course has none of any kind.
 */
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

/** What Canvas tells a tool of people: the account's setting and the tool's privacy level both have to allow it. */
export function canvasShares(lms: Lms, tool: Tool): { names: boolean; email: boolean } {
  const { sharing } = lms.world;
  return { names: sharing.names && tool.shares.names, email: sharing.email && tool.shares.email };
}
