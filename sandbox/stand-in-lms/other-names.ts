// From: LTI Core 1.3, A.2 (roles); ids are this sandbox's own.
import type { Lms } from "./lms.ts";
import { isStaff } from "./lms-seed.ts";
import type { LmsRole } from "./lms-seed.ts";
import { enrolmentOf } from "./lms-world.ts";
import type { Course, Person, Tool } from "./lms-records.ts";

const vocabulary = "http://purl.imsglobal.org/vocab/lis/v2";

/** Ids as the third manners show them: neither numbers nor URLs, and with signs that must be escaped in a query. */
export const otherIds = {
  person: (id: string): string => `user:${id}`,
  numberOf: (sub: string): string => sub.replace(/^user:/, ""),
  course: (id: string): string => `site/${id}`,
  link: (id: string): string => `content/${id}+`,
};

export function otherAddresses(url: string, courseId: string) {
  const site = `${url}/lti13/sites/${courseId}`;
  return {
    memberships: `${site}/members?view=tool`,
    groups: `${site}/groups`,
    groupSets: `${site}/group-sets`,
    lineItems: `${site}/columns?scale=points`,
    lineItem: (columnId: string) => `${site}/columns/${columnId}?scale=points`,
  };
}

const courseRoles: Record<LmsRole, string> = {
  teacher: "membership#Instructor",
  // The sub-role comes without its principal.
  "non-editing-teacher": "membership/Instructor#TeachingAssistant",
  manager: "membership#Administrator",
  designer: "membership#ContentDeveloper",
  observer: "membership#Mentor",
  student: "membership#Learner",
  "test-user": "membership#Learner",
};

export function otherRoles(role: LmsRole): string[] {
  return [`${vocabulary}/${courseRoles[role]}`];
}

/** Administrators' institution and system roles give no rights in a course. */
export function otherLaunchRoles(course: Course, person: Person): string[] {
  const role = enrolmentOf(course, person.id)?.role;
  return [
    ...(role === undefined ? [] : otherRoles(role)),
    ...(person.admin ? [`${vocabulary}/system/person#SysAdmin`] : []),
    `${vocabulary}/institution/person#${role !== undefined && isStaff(role) ? "Faculty" : "Student"}`,
  ];
}

/** Names and e-mail as told to a tool: null where they are withheld (assumption `withheldIsNull`). */
export function otherPerson(lms: Lms, tool: Tool, person: Person): Record<string, string | null> {
  const { sharing } = lms.world;
  const names = sharing.names && tool.shares.names;
  const fields = {
    name: names ? `${person.given} ${person.family}` : null,
    given_name: names ? person.given : null,
    family_name: names ? person.family : null,
    email: sharing.email && tool.shares.email ? person.email : null,
  };
  if (!lms.turned.has("withheldIsNull")) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
