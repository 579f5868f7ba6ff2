// From: measured.
import { createHash } from "node:crypto";
import type { Lms } from "./lms.ts";
import type { Container, Course, Link, Tool } from "./lms-records.ts";
import { lti } from "./lti-names.ts";
import type { BegunLaunch } from "./manners.ts";
import { moodleAddresses } from "./moodle-addresses.ts";
import { moodleCustom } from "./moodle-custom.ts";
import { isGraded, resultSourcedId } from "./moodle-outcomes.ts";
import { coupledLineItemUrl, moodleLaunchRoles, sharingWith } from "./moodle-people.ts";

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
      version: "2024100706",
      guid: createHash("md5").update(lms.url).digest("hex"),
      name: lms.world.name,
      description: `${lms.world.name} (a stand-in)`,
    },
    [`${own}version`]: "1.3.0",
    [`${own}custom`]: moodleCustom(lms, launch),
    ...(link === null ? deepLinkingClaims(lms, launch) : linkClaims(lms, launch, link)),
    ...serviceClaims(lms, launch),
  };
}

/** A course as Moodle names it; the type is the short form, not the URN. */
export function moodleContext(course: Course): { id: string; label: string; title: string; type: string[] } {
  return { id: course.id, label: course.shortname, title: course.title, type: ["CourseSection"] };
}

/** The link's address, else the tool's; or the deep linking address. */
export function targetOf(launch: BegunLaunch): string {
  if (launch.kind === "deep-linking") return launch.tool.deepLinkingUrl ?? launch.tool.launchUrl;
  return launch.review?.url ?? launch.link?.url ?? launch.tool.launchUrl;
}

function personClaims(lms: Lms, { person, tool }: BegunLaunch): Record<string, unknown> {
  const shares = sharingWith(lms, tool);
  const name = `${person.given} ${person.family}`;
  return {
    ...(shares.names ? { given_name: person.given, family_name: person.family, name } : {}),
    ...(shares.email ? { email: person.email } : {}),
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
  return {
    locale,
    document_target: target,
    return_url: `${lms.url}/mod/lti/return.php?${query}`,
  };
}

function linkClaims(lms: Lms, launch: BegunLaunch, link: Link): Record<string, unknown> {
  return {
    [`${lti.claim}/message_type`]:
      launch.review === null ? "LtiResourceLinkRequest" : "LtiSubmissionReviewRequest",
    ...(launch.review === null ? {} : { [`${lti.claim}/for_user`]: { user_id: launch.review.person.id } }),
    [`${lti.claim}/resource_link`]: { title: link.title, description: "", id: link.id },
    ...(isGraded(lms, link)
      ? {
          [lti.basicOutcomeClaim]: {
            lis_result_sourcedid: resultSourcedId(link.id, launch.person.id, launch.tool.id),
            lis_outcome_service_url: `${lms.url}/mod/lti/service.php`,
          },
        }
      : {}),
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
  const gradeScopes = tool.scopes.filter((scope) => scope.includes("/lti-ags/")).sort();
  const lineItem = link === null ? null : coupledLineItemUrl(lms, link, tool);
  // The first deep linking in a course comes before any activity of the tool, and then without the roster.
  const roster = tool.scopes.includes(lti.scope.roster) && toolIsIn(course.links, tool);
  return {
    ...(gradeScopes.length === 0
      ? {}
      : {
          [lti.gradesClaim]: {
            scope: gradeScopes,
            lineitems: addresses.lineItems,
            ...(lineItem === null ? {} : { lineitem: lineItem }),
          },
        }),
    ...(roster
      ? {
          [lti.rosterClaim]: {
            context_memberships_url: addresses.memberships,
            service_versions: ["1.0", "2.0"],
          },
        }
      : {}),
  };
}

function toolIsIn(links: readonly Link[], tool: Tool): boolean {
  return links.some((link) => link.toolId === tool.id);
}
