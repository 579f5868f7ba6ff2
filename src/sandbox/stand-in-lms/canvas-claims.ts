import { canvasCustom } from "./canvas-custom.ts";
import { canvasIds } from "./canvas-ids.ts";
import type { Lms } from "./lms.ts";
import { columnsOf, enrolmentOf } from "./lms-world.ts";
import type { Course, Person } from "./lms-world.ts";
import { lti } from "./lti-names.ts";
import type { BegunLaunch } from "./manners.ts";

const vocabulary = "http://purl.imsglobal.org/vocab/lis/v2";

/** Addresses of Canvas's services for one course, by its number. */
export function canvasAddresses(url: string, courseId: string) {
  const course = `${url}/api/lti/courses/${courseId}`;
  return {
    memberships: `${course}/names_and_roles`,
    lineItems: `${course}/line_items`,
    lineItem: (columnId: string) => `${course}/line_items/${columnId}`,
  };
}

/** The claims of one launch from Canvas. */
export function canvasClaims(lms: Lms, launch: BegunLaunch): Record<string, unknown> {
  const { course, link, tool, person } = launch;
  const own = `${lti.claim}/`;
  const { names, email } = canvasShares(lms, launch);
  return {
    azp: tool.clientId,
    [`${own}deployment_id`]: tool.deploymentId,
    [`${own}target_link_uri`]: launch.review?.url ?? link?.url ?? tool.launchUrl,
    [`${own}version`]: "1.3.0",
    sub: canvasIds.person(person.id),
    locale: "en",
    ...(names
      ? { name: `${person.given} ${person.family}`, given_name: person.given, family_name: person.family }
      : {}),
    ...(email ? { email: person.email } : {}),
    [`${own}roles`]: [...canvasCourseRoles(course, person), ...otherRoles(course, person)],
    [`${own}context`]: {
      id: canvasIds.course(course.id),
      label: course.shortname,
      title: course.title,
      type: [`http://purl.imsglobal.org/vocab/lis/v2/course#CourseOffering`],
    },
    // Always "iframe", even in a tab of its own.
    [`${own}launch_presentation`]: {
      document_target: "iframe",
      return_url: `${lms.url}/course/${course.id}`,
      locale: "en",
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
    [`${own}custom`]: canvasCustom(course, person, {
      ...link?.custom,
      ...tool.custom,
      ...launch.review?.custom,
    }),
    ...messageClaims(lms, launch),
    ...gradeClaims(lms, launch),
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

/** What Canvas tells a tool of people. */
export function canvasShares(
  lms: Lms,
  { tool }: Pick<BegunLaunch, "tool">,
): { names: boolean; email: boolean } {
  const { sharing } = lms.world;
  return { names: sharing.names && tool.shares.names, email: sharing.email && tool.shares.email };
}

/** Roles in the course as URIs; an assistant comes with the principal role, too. */
export function canvasCourseRoles(course: Course, person: Person): string[] {
  switch (enrolmentOf(course, person.id)?.role) {
    case "teacher":
      return [`${vocabulary}/membership#Instructor`];
    case "non-editing-teacher":
      return [`${vocabulary}/membership#Instructor`, `${vocabulary}/membership/Instructor#TeachingAssistant`];
    case "manager":
      return [`${vocabulary}/membership#ContentDeveloper`];
    case "student":
      return [`${vocabulary}/membership#Learner`];
    case undefined:
      return [];
  }
}

/** Institution and system roles, which give no rights in a course. */
function otherRoles(course: Course, person: Person): string[] {
  const student = enrolmentOf(course, person.id)?.role === "student";
  return [
    `${vocabulary}/institution/person#${person.admin ? "Administrator" : student ? "Student" : "Instructor"}`,
    `${vocabulary}/system/person#User`,
  ];
}

function messageClaims(lms: Lms, launch: BegunLaunch): Record<string, unknown> {
  const { course, link, tool, sessionKey } = launch;
  if (link !== null) {
    return {
      [`${lti.claim}/message_type`]:
        launch.review === null ? "LtiResourceLinkRequest" : "LtiSubmissionReviewRequest",
      ...(launch.review === null
        ? {}
        : { [`${lti.claim}/for_user`]: { user_id: canvasIds.person(launch.review.person.id) } }),
      [`${lti.claim}/resource_link`]: { id: canvasIds.link(link.id), title: link.title, description: null },
      "https://www.instructure.com/placement": "assignment_selection",
    };
  }
  const query = new URLSearchParams({ course: course.id, id: tool.id, sesskey: sessionKey }).toString();
  return {
    [`${lti.claim}/message_type`]: "LtiDeepLinkingRequest",
    "https://www.instructure.com/placement": "link_selection",
    [lti.deepLinkingSettings]: {
      deep_link_return_url: `${lms.url}${lms.manners.paths.contentReturn}?${query}`,
      accept_types: ["ltiResourceLink"],
      accept_presentation_document_targets: ["iframe", "window"],
      accept_media_types: "application/vnd.ims.lti.v1.ltilink",
      accept_multiple: true,
      accept_lineitem: true,
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
