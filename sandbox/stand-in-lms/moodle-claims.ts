// From: measured: every variable.
import { createHash } from "node:crypto";
import { type Container, type Course, isStaff, type Link, type Person, type Tool } from "./lms-records.ts";
import { columnsOf, enrolmentOf } from "./lms-world.ts";
import type { BegunLaunch, Lms } from "./lms.ts";
import { gradesClaim, lti, messageClaims, personFields, rosterClaim } from "./lti-names.ts";
import { sharingWith } from "./services.ts";

/** Version and release as in version.php. */
export const moodleReleases = {
  "4.5": { version: "2024100706", release: "4.5.6 (Build: 20250811)" },
  "5.1": { version: "2025100603", release: "5.1.3 (Build: 20260216)" },
} as const;

/** The addresses of the grade services have a query. */
export function moodleAddresses(
  url: string,
  courseId: string,
  toolId: string,
): { memberships: string; lineItems: string; lineItem: (columnId: string) => string } {
  const services = `${url}/mod/lti/services.php`;
  return {
    memberships: `${services}/CourseSection/${courseId}/bindings/${toolId}/memberships`,
    lineItems: `${services}/${courseId}/lineitems?type_id=${toolId}`,
    lineItem: (columnId) => `${services}/${courseId}/lineitems/${columnId}/lineitem?type_id=${toolId}`,
  };
}

/** The `roles` claim of a launch: full URIs, and all staff are simply Instructor. */
export function moodleLaunchRoles(course: Course, person: Person): string[] {
  const role = `${lti.membership}#${shortMoodleRole(course, person)}`;
  if (!person.admin) return [role];
  return [
    "http://purl.imsglobal.org/vocab/lis/v2/institution/person#Administrator",
    role,
    "http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator",
  ];
}

function shortMoodleRole(course: Course, person: Person): "Instructor" | "Learner" {
  const role = enrolmentOf(course, person.id)?.role;
  return person.admin || (role !== undefined && isStaff(role)) ? "Instructor" : "Learner";
}

/**
 * Null without a column, with more than one, and if the service's row names another column than the gradebook has (gradebookservices.php,
 * `get_launch_parameters`).
 */
export function coupledLineItemUrl(lms: Lms, link: Link, tool: Tool): string | null {
  const columns = columnsOf(lms.world, link.courseId).filter((column) => column.resourceLinkId === link.id);
  const [only] = columns;
  if (only === undefined || columns.length > 1 || link.staleColumn === true) return null;
  return moodleAddresses(lms.url, link.courseId, tool.id).lineItem(only.id);
}

/**
 * The link's parameters, overridden by the tool's, then by a submission review's. A name with capitals or signs is sent twice, unchanged
 * and simplified. An unknown variable is left as `$Literal`; a withheld name is null; numbers are strings.
 */
export function moodleCustom(lms: Lms, launch: BegunLaunch): Record<string, string | null> {
  const values: Record<string, string | null> = {};
  const variables = moodleVariables(lms, launch);
  for (const parameters of [launch.link?.custom ?? {}, launch.tool.custom, launch.review?.custom ?? {}]) {
    for (const [name, text] of Object.entries(parameters)) {
      const variable = text.startsWith("$") ? text.slice(1) : null;
      const known = variable !== null && variable in variables;
      const value = known ? (variables[variable] ?? null) : text;
      values[name.toLowerCase().replace(/[^a-z0-9]/g, "_")] = value;
      values[name] = value;
    }
  }
  return {
    ...values,
    context_memberships_url: moodleAddresses(lms.url, launch.course.id, launch.tool.id).memberships,
  };
}

/** The variables of Moodle 4.5 that the tool asks for; any other is sent unchanged, as Moodle does with unknown ones. */
function moodleVariables(
  lms: Lms,
  { course, link, tool, person }: BegunLaunch,
): Record<string, string | null> {
  const shares = sharingWith(lms, tool);
  return {
    "Context.id": course.id,
    "Context.title": course.title,
    "Context.label": course.shortname,
    "Context.id.history": course.history.join(","),
    "ResourceLink.id": link?.id ?? "",
    "ResourceLink.title": link?.title ?? "",
    "User.id": person.id,
    "User.username": person.username, // sent even when names are withheld
    "Person.name.full": shares.names ? `${person.given} ${person.family}` : null,
    "Person.email.primary": shares.email ? person.email : null,
    "Person.address.timezone": "Europe/Paris",
    "Membership.role": shortMoodleRole(course, person),
    "Moodle.Person.userGroupIds": (enrolmentOf(course, person.id)?.sections ?? []).join(","),
  };
}

const presentation: Record<Container, { target: string; number: number }> = {
  embed: { target: "iframe", number: 3 },
  window: { target: "window", number: 4 },
  existing: { target: "frame", number: 5 },
};

export function moodleClaims(lms: Lms, launch: BegunLaunch): Record<string, unknown> {
  const { course, link, tool, person } = launch;
  const own = `${lti.claim}/`;
  return {
    [`${own}deployment_id`]: tool.deploymentId,
    [`${own}target_link_uri`]: targetOf(launch),
    sub: person.id,
    [`${own}lis`]: { person_sourcedid: "", course_section_sourcedid: "" },
    [`${own}roles`]: moodleLaunchRoles(course, person),
    [`${own}context`]: moodleContext(course),
    ...personClaims(lms, launch),
    [`${own}launch_presentation`]: presentationOf(lms, launch),
    [`${own}tool_platform`]: {
      product_family_code: "moodle",
      version: moodleReleases[lms.quirks.release].version,
      guid: createHash("md5").update(lms.url).digest("hex"),
      name: lms.world.name,
      description: `${lms.world.name} (a stand-in)`,
    },
    [`${own}version`]: "1.3.0",
    [`${own}custom`]: moodleCustom(lms, launch),
    ...(link === null ? deepLinkingClaims(lms, launch) : linkClaims(launch, link)),
    ...serviceClaims(lms, launch),
  };
}

/** A course as Moodle names it; the type is the short form, not the URN. */
export function moodleContext(course: Course): { id: string; label: string; title: string; type: string[] } {
  return { id: course.id, label: course.shortname, title: course.title, type: ["CourseSection"] };
}

/** The link's address, or else the tool's; or the deep linking address. */
export function targetOf(launch: BegunLaunch): string {
  if (launch.kind === "deep-linking") return launch.tool.deepLinkingUrl ?? launch.tool.launchUrl;
  return launch.review?.url ?? launch.link?.url ?? launch.tool.launchUrl;
}

function personClaims(lms: Lms, { person, tool }: BegunLaunch): Record<string, unknown> {
  const shares = sharingWith(lms, tool);
  return {
    ...personFields(person, shares),
    [`${lti.claim}/ext`]: { ...(shares.names ? { user_username: person.username } : {}), lms: "moodle-2" },
  };
}

function presentationOf(
  lms: Lms,
  { course, link, container, sessionKey }: BegunLaunch,
): Record<string, string> {
  const locale = lms.quirks.locale ?? "en";
  if (link === null) return { locale };
  const { target, number } = presentation[container];
  const query = `course=${course.id}&launch_container=${number}&instanceid=${link.id}&sesskey=${sessionKey}`;
  return { locale, document_target: target, return_url: `${lms.url}/mod/lti/return.php?${query}` };
}

function linkClaims(launch: BegunLaunch, link: Link): Record<string, unknown> {
  return {
    ...messageClaims(launch, (personId) => personId),
    [`${lti.claim}/resource_link`]: { title: link.title, description: "", id: link.id },
  };
}

function deepLinkingClaims(lms: Lms, launch: BegunLaunch): Record<string, unknown> {
  const { course, tool, sessionKey } = launch;
  return {
    [`${lti.claim}/message_type`]: "LtiDeepLinkingRequest",
    [lti.deepLinkingSettings]: {
      accept_types: ["ltiResourceLink"],
      accept_presentation_document_targets: ["frame", "iframe", "window"],
      accept_copy_advice: false,
      accept_multiple: true,
      accept_unsigned: false,
      auto_create: false,
      can_confirm: false,
      deep_link_return_url: `${lms.url}/mod/lti/contentitem_return.php?course=${course.id}&id=${tool.id}&sesskey=${sessionKey}`,
      title: tool.name,
      text: "",
    },
  };
}

function serviceClaims(lms: Lms, launch: BegunLaunch): Record<string, unknown> {
  const { course, link, tool } = launch;
  const addresses = moodleAddresses(lms.url, course.id, tool.id);
  const lineItem = link === null ? null : coupledLineItemUrl(lms, link, tool);
  // The first deep linking in a course comes before any activity of the tool, and therefore without the roster.
  const isInCourse = course.links.some(({ toolId }) => toolId === tool.id);
  return {
    ...gradesClaim(tool, addresses.lineItems, lineItem),
    ...(isInCourse ? rosterClaim(tool, addresses.memberships, ["1.0", "2.0"]) : {}),
  };
}
