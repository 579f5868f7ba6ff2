// From: variable_expander.rb, substitutions_helper.rb, the message classes of lib/lti/messages; opaque ids by their shape only.
import { createHash } from "node:crypto";
import type { Course, Enrolment, LmsRole, Person } from "./lms-records.ts";
import { columnsOf, deploymentIn, enrolmentOf } from "./lms-world.ts";
import type { BegunLaunch, Lms } from "./lms.ts";
import { gradesClaim, lti, messageClaims, personFields, rosterClaim } from "./lti-names.ts";
import { noticesClaim } from "./notices.ts";
import { sharingWith } from "./services.ts";

/** Cached both ways: a course of thousands needs no hashing on every call. */
const numbers = new Map<string, string>();
const opaque = new Map<string, string>();

/** Opaque ids derived from Canvas's numbers, and therefore stable. */
export const canvasIds = {
  /** `sub` and `user_id`. */
  person: (id: string): string => {
    const known = opaque.get(id);
    if (known !== undefined) return known;
    const made = uuid(`person ${id}`);
    opaque.set(id, made);
    numbers.set(made, id);
    return made;
  },
  /** The number behind a `sub`; a number stays as it is. */
  numberOf: (sub: string): string => numbers.get(sub) ?? sub,
  /** `context.id`. */
  course: (id: string): string => hash(`course ${id}`).slice(0, 40),
  /** `resource_link.id`. */
  link: (id: string): string => uuid(`link ${id}`),
};

function uuid(text: string): string {
  const digest = hash(text);
  const ends = [0, 8, 12, 16, 20, 32];
  return ends
    .slice(1)
    .map((end, index) => digest.slice(ends[index], end))
    .join("-");
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const vocabulary = "http://purl.imsglobal.org/vocab/lis/v2";
const testUser = "http://purl.imsglobal.org/vocab/lti/system/person#TestUser";

/** As in the roster; an assistant has the principal role, too. */
const courseRoles: Record<LmsRole, readonly string[]> = {
  teacher: [`${vocabulary}/membership#Instructor`],
  "non-editing-teacher": [
    `${vocabulary}/membership#Instructor`,
    `${vocabulary}/membership/Instructor#TeachingAssistant`,
  ],
  manager: [`${vocabulary}/membership#ContentDeveloper`],
  designer: [`${vocabulary}/membership#ContentDeveloper`],
  observer: [`${vocabulary}/membership#Mentor`],
  student: [`${vocabulary}/membership#Learner`],
  "test-user": [`${vocabulary}/membership#Learner`, testUser],
};

const institutionRoles: Record<LmsRole, string> = {
  teacher: "Instructor",
  "non-editing-teacher": "Instructor",
  manager: "Instructor",
  designer: "Instructor",
  observer: "Observer",
  student: "Student",
  "test-user": "Student",
};

export function canvasRosterRoles(role: LmsRole): readonly string[] {
  return courseRoles[role];
}

/** Course, institution and system roles. An account admin outside the course has no course role. */
export function canvasLaunchRoles(course: Course, person: Person): string[] {
  const role = enrolmentOf(course, person.id)?.role;
  const institution = [
    ...(role === undefined ? [] : [institutionRoles[role]]),
    ...(person.admin ? ["Administrator"] : []),
  ];
  return [
    ...institution.map((name) => `${vocabulary}/institution/person#${name}`),
    ...(role === undefined ? [] : courseRoles[role]),
    `${vocabulary}/system/person#User`,
  ];
}

/** An account admin has no enrolment. */
type Member = { person: Person; enrolment: Enrolment | undefined };

/** For one person in one course; an unknown variable is left as `$Literal`, booleans are booleans. */
export function canvasCustom(
  course: Course,
  who: Member,
  parameters: Record<string, string>,
): Record<string, unknown> {
  const variables = canvasVariables(course, who);
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      value.startsWith("$") && value.slice(1) in variables ? variables[value.slice(1)] : value,
    ]),
  );
}

function canvasVariables(course: Course, { person, enrolment }: Member): Record<string, unknown> {
  const own = [...(enrolment?.sections ?? [])].sort((one, other) => Number(one) - Number(other));
  const names = new Map(course.sections.map(({ id, name }) => [id, name]));
  return {
    "Canvas.course.id": course.id,
    "Canvas.course.name": course.title,
    "Canvas.course.sectionIds": own.join(","),
    "Canvas.course.sectionSisSourceIds": "",
    "Canvas.course.sectionRestricted": false,
    "com.instructure.User.sectionNames": JSON.stringify(own.map((id) => names.get(id) ?? id)),
    "Canvas.course.previousContextIds": course.history.slice(0, 1).map(canvasIds.course).join(","),
    "Context.id.history": course.history.map(canvasIds.course).join(","),
    "Context.id": canvasIds.course(course.id),
    "Context.title": course.title,
    "Canvas.user.id": person.id,
    "Canvas.user.loginId": person.username,
    "User.id": canvasIds.person(person.id),
    "User.username": person.username,
    "Person.name.full": `${person.given} ${person.family}`,
    "Person.name.given": person.given,
    "Person.name.family": person.family,
    "Person.email.primary": person.email,
    "Person.address.timezone": "America/Denver",
    "Message.locale": "en",
    "com.instructure.User.student_view": enrolment?.role === "test-user",
  };
}

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
  const locale = lms.quirks.locale ?? "en";
  const addresses = canvasAddresses(lms.url, course.id);
  // `lineitem` only for an assignment, and then its oldest one.
  const coupled = columnsOf(lms.world, course.id).find((column) => column.coupledLinkId === (link?.id ?? ""));
  return {
    azp: tool.clientId,
    [`${own}deployment_id`]: deploymentIn(tool, course.id),
    [`${own}target_link_uri`]: launch.review?.url ?? link?.url ?? tool.launchUrl,
    [`${own}version`]: "1.3.0",
    sub: canvasIds.person(person.id),
    locale,
    ...personFields(person, sharingWith(lms, tool)),
    [`${own}roles`]: canvasLaunchRoles(course, person),
    [`${own}context`]: canvasContext(course),
    // Always "iframe", even in its own tab.
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
      { ...link?.custom, ...tool.custom, ...launch.review?.custom },
    ),
    ...linkOrDialogClaims(lms, launch),
    ...gradesClaim(tool, addresses.lineItems, coupled === undefined ? null : addresses.lineItem(coupled.id)),
    ...noticesClaim(lms, tool),
    ...rosterClaim(tool, addresses.memberships),
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

function linkOrDialogClaims(lms: Lms, launch: BegunLaunch): Record<string, unknown> {
  const { course, link, tool, sessionKey } = launch;
  if (link !== null) {
    return {
      ...messageClaims(launch, canvasIds.person),
      [`${lti.claim}/resource_link`]: {
        // When opened from the navigation, the course is the link.
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
