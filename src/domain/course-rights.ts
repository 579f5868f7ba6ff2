/** From the launch's context roles only; institution and system roles give no rights. Unknown or missing roles mean learner. */
export type CourseRights = {
  role: "instructor" | "learner";
  /** Null for a learner. */
  staffRole: StaffRole | null;
  /** A preview student (Canvas TestUser), who may look around but never appears in rosters or grades. */
  testUser: boolean;
};

/** The spellings of a role, each capturing the principal role. `#` or `/` and a sub-role may follow. */
const roleSpellings = [
  /^http:\/\/purl\.imsglobal\.org\/vocab\/lis\/v2\/membership#(.*)$/,
  /^http:\/\/purl\.imsglobal\.org\/vocab\/lis\/v2\/membership\/([^#]*)(?:#.*)?$/,
  /^urn:lti:role:ims\/lis\/(\w+)(?:\/\w+)?$/,
  /^(\w+)$/,
] as const;
const testUserRole = "http://purl.imsglobal.org/vocab/lti/system/person#TestUser";
/** Staff roles by principal role (LTI Core 1.3, A.2.2). The first match counts. */
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

/** Whether the roles name a student of the course. Mentors, guests and unknown roles don't. */
export function isLearner(roles: readonly string[]): boolean {
  return hasRole(roles, "Learner");
}

/** Whether the roles name a mentor (parent, adviser). A mentor has a learner's rights, and the LMS lists the people they mentor. */
export function isMentor(roles: readonly string[]): boolean {
  return hasRole(roles, "Mentor");
}

/** Whether somebody only observes the course (LTI Core 1.3, A.2.2). Roles that we don't know don't count. */
export function isObserver(roles: readonly string[]): boolean {
  return ["Mentor", "Member", "Officer"].some((name) => hasRole(roles, name)) && !isLearner(roles);
}

function hasRole(roles: readonly string[], name: string): boolean {
  return roles.some((role) => principalOf(role) === name);
}

/**
 * The principal role; null outside the context. In `membership/Learner#Instructor` it is the path's: a learner (A.2.3.1). LTI 1.1 writes
 * `urn:lti:role:ims/lis/Instructor/GuestInstructor`. There, TeachingAssistant is a principal role, not a sub-role.
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

/** From a launch. A person who teaches and also has another role is a teacher. */
export type StaffRole = "teacher" | OtherStaff;

export function doesNotTeach(staffRole: StaffRole | null): boolean {
  return staffRole !== null && staffRole !== "teacher";
}

/** What an institution lets non-teaching staff do: only arrange the course, or all that a teacher may. */
export const staffLevels = ["arrange", "teach"] as const;
export type StaffLevel = (typeof staffLevels)[number];

/** Roles that are left out may only arrange. */
export type StaffLevels = Partial<Record<OtherStaff, StaffLevel>>;

const everything: readonly Capability[] = ["settings", "grades", "corrections"];
const arranging: readonly Capability[] = ["settings"];

/** @param staffRole Null for people who aren't staff: they may do nothing. */
export function capabilitiesOf(staffRole: StaffRole | null, levels: StaffLevels | undefined) {
  if (staffRole === null) return [];
  if (staffRole === "teacher") return everything;
  return levels?.[staffRole] === "teach" ? everything : arranging;
}
