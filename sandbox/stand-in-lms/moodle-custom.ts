// From: measured: every variable.
import type { Lms } from "./lms.ts";
import { enrolmentOf } from "./lms-world.ts";
import type { Course, Person } from "./lms-records.ts";
import type { BegunLaunch } from "./manners.ts";
import { moodleAddresses } from "./moodle-addresses.ts";
import { isGraded, resultSourcedId } from "./moodle-outcomes.ts";
import { coupledLineItemUrl, sharingWith, shortMoodleRole } from "./moodle-people.ts";

/**
 * The link's parameters, the tool's over them, a submission review's last. A name with capitals or signs is sent twice, as it is and
 * simplified. An unknown variable stays `$Literal`; a withheld name is null; numbers are strings.
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

/** Every variable that Moodle 4.5 substitutes, with the odd ones as it sends them. */
function moodleVariables(lms: Lms, launch: BegunLaunch): Record<string, string | null> {
  const { course, link, tool, person } = launch;
  const addresses = moodleAddresses(lms.url, course.id, tool.id);
  return {
    ...courseVariables(course),
    ...personVariables(lms, launch, course, person),
    "ResourceLink.id": link?.id ?? "",
    "ResourceLink.title": link?.title ?? "",
    "ResourceLink.description": "",
    ...outcomeVariables(lms, launch),
    "LineItems.url": addresses.lineItems,
    "LineItem.url": link === null ? "" : (coupledLineItemUrl(lms, link, tool) ?? ""),
    "Results.url": "",
    "Scores.url": "",
    "ToolProxyBinding.memberships.url": addresses.memberships,
    "LtiLink.memberships.url": `${lms.url}/mod/lti/services.php/links/{link_id}/memberships`,
    "ToolProxyBinding.custom.url": `${lms.url}/mod/lti/services.php/CourseSection/${course.id}/bindings/tool/${tool.id}/custom`,
    "ToolProxy.custom.url": `${lms.url}/mod/lti/services.php/tool/${tool.id}/custom`,
  };
}

/** Null for a link without its own column. */
function outcomeVariables(lms: Lms, { link, person, tool }: BegunLaunch): Record<string, string | null> {
  const graded = link !== null && isGraded(lms, link);
  const sourcedId = graded ? resultSourcedId(link.id, person.id, tool.id) : null;
  const address = graded ? `${lms.url}/mod/lti/service.php` : null;
  return {
    "Result.sourcedId": sourcedId,
    "Result.autocreate": address,
    "BasicOutcome.sourcedId": sourcedId,
    "BasicOutcome.url": address,
  };
}

function courseVariables(course: Course): Record<string, string | null> {
  return {
    "Context.id": course.id,
    "Context.title": course.title,
    "Context.label": course.shortname,
    "Context.id.history": course.history.join(","),
    "Context.sourcedId": "",
    "Context.longDescription": "",
    "Context.timeFrame.begin": "1767225600", // the one time that is epoch seconds
    "CourseSection.title": course.title,
    "CourseSection.label": course.shortname,
    "CourseSection.sourcedId": "",
    "CourseSection.longDescription": "",
    "CourseSection.timeFrame.begin": "2026-01-01T00:00:00+00:00",
    "CourseSection.timeFrame.end": "2026-07-01T00:00:00+00:00",
  };
}

function personVariables(
  lms: Lms,
  launch: BegunLaunch,
  course: Course,
  person: Person,
): Record<string, string | null> {
  const shares = sharingWith(lms, launch.tool);
  return {
    "User.id": person.id,
    "User.username": person.username, // sent even when names are withheld
    "Person.name.full": shares.names ? `${person.given} ${person.family}` : null,
    "Person.name.given": shares.names ? person.given : null,
    "Person.name.family": shares.names ? person.family : null,
    "Person.name.middle": "",
    "Person.email.primary": shares.email ? person.email : null,
    "Person.sourcedId": "",
    "Person.address.timezone": "Europe/Paris",
    "Person.address.country": "",
    "Person.phone.primary": "",
    "Membership.role": person.admin
      ? "Instructor,urn:lti:sysrole:ims/lis/Administrator,urn:lti:instrole:ims/lis/Administrator"
      : shortMoodleRole(course, person),
    "Moodle.Person.userGroupIds": (enrolmentOf(course, person.id)?.sections ?? []).join(","),
  };
}
