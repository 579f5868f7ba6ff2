// From: measured.
import type { Lms } from "./lms.ts";
import { isStaff } from "./lms-seed.ts";
import { columnsOf, enrolmentOf } from "./lms-world.ts";
import type { Course, Link, Person, Tool } from "./lms-records.ts";
import { lti } from "./lti-names.ts";
import { moodleAddresses } from "./moodle-addresses.ts";

/** The `roles` claim of a launch: full URIs, and everybody on the staff is simply Instructor. */
export function moodleLaunchRoles(course: Course, person: Person): string[] {
  const role = `${lti.membership}#${shortMoodleRole(course, person)}`;
  if (!person.admin) return [role];
  return [
    "http://purl.imsglobal.org/vocab/lis/v2/institution/person#Administrator",
    role,
    "http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator",
  ];
}

export function shortMoodleRole(course: Course, person: Person): "Instructor" | "Learner" {
  const { role, switched = false } = enrolmentOf(course, person.id) ?? {};
  // mod/lti/locallib.php, `lti_get_ims_role`: capabilities are those of the role switched to; the roster does not ask for them.
  if (switched) return "Learner";
  return person.admin || (role !== undefined && isStaff(role)) ? "Instructor" : "Learner";
}

/** What a tool asked for, unless the administrator refuses. */
export function sharingWith(lms: Lms, tool: Tool): { names: boolean; email: boolean } {
  const { sharing } = lms.world;
  return { names: sharing.names && tool.shares.names, email: sharing.email && tool.shares.email };
}

/**
 * Null without a column, with more than one, and where the service's row names another than the gradebook has (gradebookservices.php,
 * `get_launch_parameters`).
 */
export function coupledLineItemUrl(lms: Lms, link: Link, tool: Tool): string | null {
  const columns = columnsOf(lms.world, link.courseId).filter((column) => column.resourceLinkId === link.id);
  const [only] = columns;
  if (only === undefined || columns.length > 1 || link.staleColumn === true) return null;
  return moodleAddresses(lms.url, link.courseId, tool.id).lineItem(only.id);
}
