/**
 * What a person may do in a course, from this launch's context roles only (institution and system roles give
 * no rights in a course). Fails closed: unknown or missing roles are a learner.
 */
export type CourseRights = {
  role: "instructor" | "learner";
  /** A preview student (Canvas TestUser): may look, is kept out of rosters and grades. */
  testUser: boolean;
};

const membership = "http://purl.imsglobal.org/vocab/lis/v2/membership";
const testUserRole = "http://purl.imsglobal.org/vocab/lti/system/person#TestUser";
const teaching = new Set(["Instructor", "Administrator", "ContentDeveloper", "Manager"]);

/**
 * Reads the roles claim of a launch or of a roster member.
 * @param roles Role URIs or the deprecated short names, which Moodle's roster still sends (LTI Core 1.3, A.2.3).
 */
export function courseRightsOf(roles: readonly string[]): CourseRights {
  return {
    role: roles.some(teaches) ? "instructor" : "learner",
    testUser: roles.includes(testUserRole),
  };
}

/** Whether the roles name a student of the course: a mentor, a guest or an unknown role is none. */
export function isLearner(roles: readonly string[]): boolean {
  return hasRole(roles, "Learner");
}

/** Whether the roles name a mentor (a parent, an adviser), who has a learner's rights and whom the LMS tells of whom. */
export function isMentor(roles: readonly string[]): boolean {
  return hasRole(roles, "Mentor");
}

function hasRole(roles: readonly string[], name: "Learner" | "Mentor"): boolean {
  return roles.some(
    (role) => role === name || role === `${membership}#${name}` || role.startsWith(`${membership}/${name}#`),
  );
}

/** In a sub-role the principal is the path segment: `membership/Learner#Instructor` is a learner (Core A.2.3.1). */
function teaches(role: string): boolean {
  if (teaching.has(role)) return true;
  if (role.startsWith(`${membership}#`)) return teaching.has(role.slice(membership.length + 1));
  if (role.startsWith(`${membership}/`)) {
    const principal = role.slice(membership.length + 1).split("#")[0] ?? "";
    return teaching.has(principal);
  }
  return false;
}
