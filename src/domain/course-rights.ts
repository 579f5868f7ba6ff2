/** From the launch's context roles only: institution and system roles give none. Unknown or missing roles mean learner. */
export type CourseRights = {
  role: "instructor" | "learner";
  /** Null for a learner. */
  staffRole: StaffRole | null;
  /** A preview student (Canvas TestUser): may look, is kept out of rosters and grades. */
  testUser: boolean;
};

/** Each with the principal role; `#` or `/` and a sub-role may follow. */
const roleSpellings = [
  /^http:\/\/purl\.imsglobal\.org\/vocab\/lis\/v2\/membership#(.*)$/,
  /^http:\/\/purl\.imsglobal\.org\/vocab\/lis\/v2\/membership\/([^#]*)(?:#.*)?$/,
  /^urn:lti:role:ims\/lis\/(\w+)(?:\/\w+)?$/,
  /^(\w+)$/,
] as const;
const testUserRole = "http://purl.imsglobal.org/vocab/lti/system/person#TestUser";
/** By principal role (LTI Core 1.3, A.2.2); the first match counts. */
const staff: readonly (readonly [string, StaffRole])[] = [
  ["Instructor", "teacher"],
  ["Administrator", "administrator"],
  ["Manager", "manager"],
  ["ContentDeveloper", "developer"],
];

/** @param roles Role URIs or the deprecated short names, which Moodle's roster still sends (LTI Core 1.3, A.2.3). */
export function courseRightsOf(roles: readonly string[]): CourseRights {
  const principals = new Set(roles.map(principalOf));
  const staffRole = staff.find(([principal]) => principals.has(principal))?.[1] ?? null;
  return {
    role: staffRole === null ? "learner" : "instructor",
    staffRole,
    testUser: roles.includes(testUserRole),
  };
}

/** Whether the roles name a student of the course; mentors, guests and unknown roles are none. */
export function isLearner(roles: readonly string[]): boolean {
  return hasRole(roles, "Learner");
}

/** Whether the roles name a mentor (parent, adviser): a learner's rights, and the LMS reports whose mentor they are. */
export function isMentor(roles: readonly string[]): boolean {
  return hasRole(roles, "Mentor");
}

/** Whether somebody only observes the course (LTI Core 1.3, A.2.2). Roles that we don't know say nothing. */
export function isObserver(roles: readonly string[]): boolean {
  return ["Mentor", "Member", "Officer"].some((name) => hasRole(roles, name)) && !isLearner(roles);
}

function hasRole(roles: readonly string[], name: string): boolean {
  return roles.some((role) => principalOf(role) === name);
}

/**
 * Null outside the context. In `membership/Learner#Instructor` the path is the principal: a learner (A.2.3.1). LTI 1.1 has its
 * roles as `urn:lti:role:ims/lis/Instructor/GuestInstructor`, and a teaching assistant is one of them, not a sub-role.
 */
function principalOf(role: string): string | null {
  const [, name = null] =
    roleSpellings.map((spelling) => spelling.exec(role)).find((match) => match !== null) ?? [];
  return name === "TeachingAssistant" ? "Instructor" : name;
}

/** settings: arrange course, sessions, people, recordings · grades: see learners' attendance and grades · corrections: change them. */
export type Capability = "settings" | "grades" | "corrections";

/** Roles that may arrange a course without teaching in it. */
export const otherStaff = ["developer", "administrator", "manager"] as const;
export type OtherStaff = (typeof otherStaff)[number];

/** From a launch. A person who teaches and has another role is a teacher. */
export type StaffRole = "teacher" | OtherStaff;

export function doesNotTeach(staffRole: StaffRole | null): boolean {
  return staffRole !== null && staffRole !== "teacher";
}

/** What an institution lets non-teaching staff do: only arrange the course, or all that a teacher may. */
export const staffLevels = ["arrange", "teach"] as const;
export type StaffLevel = (typeof staffLevels)[number];

/** A role that is left out arranges. */
export type StaffLevels = Partial<Record<OtherStaff, StaffLevel>>;

const everything: readonly Capability[] = ["settings", "grades", "corrections"];
const arranging: readonly Capability[] = ["settings"];

/** @param staffRole Null for people who are no staff: they may do nothing. */
export function capabilitiesOf(staffRole: StaffRole | null, levels: StaffLevels | undefined) {
  if (staffRole === null) return [];
  if (staffRole === "teacher") return everything;
  return levels?.[staffRole] === "teach" ? everything : arranging;
}
