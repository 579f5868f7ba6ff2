// From: variable_expander.rb and the message classes of lib/lti/messages.
import { canvasCustom } from "./canvas-custom.ts";
import { canvasIds } from "./canvas-ids.ts";
import type { Lms } from "./lms.ts";
import { canvasLaunchRoles, canvasShares } from "./canvas-people.ts";
import { columnsOf, deploymentIn, enrolmentOf } from "./lms-world.ts";
import type { Course } from "./lms-records.ts";
import { lti } from "./lti-names.ts";
import { noticesClaim } from "./notices.ts";
import type { BegunLaunch } from "./manners.ts";

export function canvasAddresses(url: string, courseId: string) {
  const course = `${url}/api/lti/courses/${courseId}`;
  return {
    memberships: `${course}/names_and_roles`,
    lineItems: `${course}/line_items`,
    lineItem: (columnId: string) => `${course}/line_items/${columnId}`,
  };
}

export function canvasContext(course: Course): { id: string; label: string; title: string; type: string[] } {
  return {
    id: canvasIds.course(course.id),
    label: course.shortname,
    title: course.title,
    type: ["http://purl.imsglobal.org/vocab/lis/v2/course#CourseOffering"],
  };
}

export function canvasClaims(lms: Lms, launch: BegunLaunch): Record<string, unknown> {
  const { course, link, tool, person } = launch;
  const own = `${lti.claim}/`;
  const { names, email } = person.anonymous ? { names: false, email: false } : canvasShares(lms, tool);
  const locale = localeOf(lms);
  return {
    azp: tool.clientId,
    [`${own}deployment_id`]: deploymentIn(tool, course.id),
    [`${own}target_link_uri`]: launch.review?.url ?? link?.url ?? tool.launchUrl,
    [`${own}version`]: "1.3.0",
    // A visitor of a public course has no identity.
    ...(person.anonymous ? {} : { sub: canvasIds.person(person.id) }),
    locale,
    ...(names
      ? { name: `${person.given} ${person.family}`, given_name: person.given, family_name: person.family }
      : {}),
    ...(email ? { email: person.email } : {}),
    [`${own}roles`]: canvasLaunchRoles(course, person),
    [`${own}context`]: canvasContext(course),
    // Always "iframe", even in a tab of its own.
    [`${own}launch_presentation`]: {
      document_target: "iframe",
      return_url: `${lms.url}/course/${course.id}`,
      locale,
      height: null,
      width: null,
    },
    [`${own}tool_platform`]: {
      guid: "stand-in.canvas",
      name: lms.world.name,
      product_family_code: "canvas",
      version: "cloud",
    },
    [`${own}lis`]: { person_sourcedid: null, course_offering_sourcedid: null },
    [`${own}custom`]: canvasCustom(
      course,
      { person, enrolment: enrolmentOf(course, person.id) },
      {
        ...link?.custom,
        ...tool.custom,
        ...launch.review?.custom,
      },
    ),
    ...messageClaims(lms, launch),
    ...gradeClaims(lms, launch),
    ...noticesClaim(lms, tool),
    ...(tool.scopes.includes(lti.scope.roster)
      ? {
          [lti.rosterClaim]: {
            context_memberships_url: canvasAddresses(lms.url, course.id).memberships,
            service_versions: ["2.0"],
          },
        }
      : {}),
  };
}

/** What each placement accepts from a content selection. */
const contentOf: Record<string, { types: string[]; multiple: boolean; lineItem: boolean }> = {
  link_selection: { types: ["ltiResourceLink"], multiple: true, lineItem: true },
  course_assignments_menu: { types: ["ltiResourceLink"], multiple: true, lineItem: true },
  module_index_menu_modal: { types: ["ltiResourceLink"], multiple: true, lineItem: true },
  assignment_selection: { types: ["ltiResourceLink"], multiple: false, lineItem: true },
  editor_button: {
    types: ["link", "file", "html", "ltiResourceLink", "image"],
    multiple: true,
    lineItem: false,
  },
};

function messageClaims(lms: Lms, launch: BegunLaunch): Record<string, unknown> {
  const { course, link, tool, sessionKey } = launch;
  if (link !== null) {
    return {
      [`${lti.claim}/message_type`]:
        launch.review === null ? "LtiResourceLinkRequest" : "LtiSubmissionReviewRequest",
      ...(launch.review === null
        ? {}
        : { [`${lti.claim}/for_user`]: { user_id: canvasIds.person(launch.review.person.id) } }),
      [`${lti.claim}/resource_link`]: {
        // From the navigation, the course stands for the link.
        id: launch.placement === "course_navigation" ? canvasIds.course(course.id) : canvasIds.link(link.id),
        title: link.title,
        description: null,
      },
      "https://www.instructure.com/placement": launch.placement ?? "assignment_selection",
    };
  }
  const placement = launch.placement ?? "link_selection";
  const accepts = contentOf[placement] ?? { types: ["ltiResourceLink"], multiple: false, lineItem: false };
  const query = new URLSearchParams({ course: course.id, id: tool.id, sesskey: sessionKey }).toString();
  return {
    [`${lti.claim}/message_type`]: "LtiDeepLinkingRequest",
    "https://www.instructure.com/placement": placement,
    [lti.deepLinkingSettings]: {
      deep_link_return_url: `${lms.url}${lms.manners.paths.contentReturn}?${query}`,
      accept_types: accepts.types,
      accept_presentation_document_targets: [
        ...(placement === "editor_button" ? ["embed"] : []),
        "iframe",
        "window",
      ],
      accept_media_types: "application/vnd.ims.lti.v1.ltilink",
      accept_multiple: accepts.multiple,
      accept_lineitem: accepts.lineItem,
      auto_create: false,
    },
  };
}

/** `lineitem` only for an assignment, and then the oldest one. */
function gradeClaims(lms: Lms, { course, link, tool }: BegunLaunch): Record<string, unknown> {
  const scopes = tool.scopes.filter((scope) => scope.includes("/lti-ags/"));
  if (scopes.length === 0) return {};
  const addresses = canvasAddresses(lms.url, course.id);
  const own = columnsOf(lms.world, course.id).find((column) => column.coupledLinkId === (link?.id ?? ""));
  return {
    [lti.gradesClaim]: {
      scope: scopes,
      lineitems: addresses.lineItems,
      ...(own === undefined ? {} : { lineitem: addresses.lineItem(own.id) }),
    },
  };
}

/** As chosen in the account. */
function localeOf(lms: Lms): string {
  return lms.quirks.locale ?? "en";
}
