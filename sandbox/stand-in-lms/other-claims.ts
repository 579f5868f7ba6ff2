// From: LTI Core 1.3, 5.3, 5.4 and A.2 (roles); ids are this sandbox's own.
import { type Course, isStaff, type LmsRole, type Person, type Tool } from "./lms-records.ts";
import { columnsOf, deploymentIn, enrolmentOf } from "./lms-world.ts";
import type { BegunLaunch, Lms } from "./lms.ts";
import { gradesClaim, lti, messageClaims, rosterClaim } from "./lti-names.ts";
import { noticesClaim } from "./notices.ts";
import { sharingWith } from "./services.ts";

const vocabulary = "http://purl.imsglobal.org/vocab/lis/v2";

/** Ids as the third LMS shows them: neither numbers nor URLs, and with characters that must be escaped in a query. */
export const otherIds = {
  person: (id: string): string => `user:${id}`,
  numberOf: (sub: string): string => sub.replace(/^user:/, ""),
  course: (id: string): string => `site/${id}`,
  link: (id: string): string => `content/${id}+`,
};

export function otherAddresses(url: string, courseId: string) {
  const site = `${url}/lti13/sites/${courseId}`;
  return {
    memberships: `${site}/members?view=tool`,
    groups: `${site}/groups`,
    lineItems: `${site}/columns?scale=points`,
    lineItem: (columnId: string) => `${site}/columns/${columnId}?scale=points`,
  };
}

const courseRoles: Record<LmsRole, string> = {
  teacher: "membership#Instructor",
  // The sub-role comes without its principal role.
  "non-editing-teacher": "membership/Instructor#TeachingAssistant",
  manager: "membership#Administrator",
  designer: "membership#ContentDeveloper",
  observer: "membership#Mentor",
  student: "membership#Learner",
  "test-user": "membership#Learner",
};

export function otherRoles(role: LmsRole): string[] {
  return [`${vocabulary}/${courseRoles[role]}`];
}

/** Administrators' institution and system roles give no rights in a course. */
function otherLaunchRoles({ quirks }: Lms, course: Course, person: Person): string[] {
  const role = enrolmentOf(course, person.id)?.role;
  if (quirks.openEdx) return openEdxRoles(role, person);
  return [
    ...(role === undefined ? [] : otherRoles(role)),
    ...(person.admin ? [`${vocabulary}/system/person#SysAdmin`] : []),
    `${vocabulary}/institution/person#${role !== undefined && isStaff(role) ? "Faculty" : "Student"}`,
  ];
}

const openEdxCourseRoles: Partial<Record<LmsRole, readonly string[]>> = {
  teacher: ["membership#Administrator", "membership#Instructor"],
  manager: ["membership#Instructor"],
  // A "Community TA".
  "non-editing-teacher": ["membership#Learner", "membership/Instructor#TeachingAssistant"],
};

/** Open edX: lti_1p3/constants.py, LTI_1P3_ROLE_MAP; an administrator is "global_staff", which has more roles outside of courses. */
function openEdxRoles(role: LmsRole | undefined, person: Person): string[] {
  const inCourse = openEdxCourseRoles[person.admin ? "teacher" : (role ?? "student")];
  const elsewhere = ["system", "institution"].map(
    (where) => `${where}/person#${person.admin ? "Administrator" : "None"}`,
  );
  return [...elsewhere, ...(inCourse ?? ["membership#Learner"])].map((name) => `${vocabulary}/${name}`);
}

/** Names and e-mail as sent to a tool: null if they are withheld (assumption `withheldIsNull`). */
export function otherPerson(lms: Lms, tool: Tool, person: Person): Record<string, string | null> {
  const { names, email } = sharingWith(lms, tool);
  const fields = {
    name: names ? `${person.given} ${person.family}` : null,
    given_name: names ? person.given : null,
    family_name: names ? person.family : null,
    email: email ? person.email : null,
  };
  if (!lms.turned.has("withheldIsNull")) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** `data` of a content selection, to be sent back byte for byte. */
export const otherDeepLinkingData = `{"a":"<b>&'\\"</script> é %2B +"}`;

export function otherContext(course: Course): { id: string; label: string; title: string; type: string[] } {
  return {
    id: otherIds.course(course.id),
    label: course.shortname,
    title: course.title,
    type: ["http://purl.imsglobal.org/vocab/lis/v2/course#CourseSection"],
  };
}

/** The claims of one launch; `aud` is a list here (assumption `audienceIsList`). */
export function otherClaims(lms: Lms, launch: BegunLaunch): Record<string, unknown> {
  const { course, link, tool, person } = launch;
  const own = `${lti.claim}/`;
  return {
    ...(lms.turned.has("audienceIsList") ? {} : { aud: [tool.clientId], azp: tool.clientId }),
    sub: otherIds.person(person.id),
    ...otherPerson(lms, tool, person),
    locale: lms.quirks.locale ?? "en-GB",
    [`${own}deployment_id`]: deploymentIn(tool, course.id),
    [`${own}version`]: "1.3.0",
    [`${own}target_link_uri`]: otherTarget(launch),
    [`${own}roles`]: otherLaunchRoles(lms, course, person),
    [`${own}context`]: otherContext(course),
    [`${own}launch_presentation`]: {
      document_target: launch.container === "embed" ? "iframe" : "window",
      return_url: `${lms.url}/course/${course.id}`,
      locale: lms.quirks.locale ?? "en-GB",
    },
    [`${own}tool_platform`]: {
      guid: "stand-in.other",
      name: lms.world.name,
      // Open edX: lti_1p3/consumer.py sends only guid and name.
      ...(lms.quirks.openEdx ? {} : { product_family_code: "sakai", version: "23.1" }),
    },
    [`${own}custom`]: otherCustom(course, person, launch),
    ...(link === null ? deepLinkingClaims(lms, launch) : linkClaims(launch)),
    ...serviceClaims(lms, launch),
  };
}

export function otherTarget({ kind, tool, review, link }: BegunLaunch): string {
  if (kind === "deep-linking") return tool.deepLinkingUrl ?? tool.launchUrl;
  return review?.url ?? link?.url ?? tool.launchUrl;
}

function linkClaims(launch: BegunLaunch): Record<string, unknown> {
  const { link } = launch;
  return {
    ...messageClaims(launch, otherIds.person),
    [`${lti.claim}/resource_link`]: { id: otherIds.link(link?.id ?? ""), title: link?.title ?? "" },
  };
}

function deepLinkingClaims(lms: Lms, { course, tool, sessionKey }: BegunLaunch): Record<string, unknown> {
  const query = new URLSearchParams({ course: course.id, id: tool.id, sesskey: sessionKey }).toString();
  return {
    [`${lti.claim}/message_type`]: "LtiDeepLinkingRequest",
    [lti.deepLinkingSettings]: {
      deep_link_return_url: `${lms.url}${lms.manners.paths.contentReturn}?${query}`,
      accept_types: ["ltiResourceLink", "link"],
      accept_presentation_document_targets: ["iframe", "window"],
      accept_multiple: true,
      accept_lineitem: true,
      auto_create: true,
      data: otherDeepLinkingData,
    },
  };
}

function serviceClaims(lms: Lms, { course, link, tool }: BegunLaunch): Record<string, unknown> {
  const addresses = otherAddresses(lms.url, course.id);
  const [own, second] = columnsOf(lms.world, course.id).filter(
    ({ resourceLinkId }) => link !== null && resourceLinkId === link.id,
  );
  const single = own !== undefined && second === undefined ? addresses.lineItem(own.id) : null;
  return {
    ...gradesClaim(tool, addresses.lineItems, single),
    ...rosterClaim(tool, addresses.memberships),
    ...(tool.scopes.includes(lti.extraScope.groups)
      ? {
          [lti.groupsClaim]: {
            context_groups_url: addresses.groups,
            scope: [lti.extraScope.groups],
            service_versions: ["1.0"],
          },
        }
      : {}),
    ...noticesClaim(lms, tool),
  };
}

/** Custom parameters, with the link's overriding the tool's; histories are lists of escaped ids, unknown variables stay. */
export function otherCustom(
  course: Course,
  person: Person,
  what: Pick<BegunLaunch, "link" | "review"> & { tool: Tool },
): Record<string, string> {
  const { link, tool, review } = what;
  const history = (ids: readonly string[], name: (id: string) => string) =>
    ids.map((id) => encodeURIComponent(name(id))).join(",");
  const variables: Record<string, string> = {
    "Context.id": otherIds.course(course.id),
    "Context.title": course.title,
    "Context.label": course.shortname,
    "Context.id.history": history(course.history, otherIds.course),
    "ResourceLink.id": link === null ? "" : otherIds.link(link.id),
    "ResourceLink.title": link?.title ?? "",
    "ResourceLink.id.history": history(link?.history ?? [], otherIds.link),
    "User.id": otherIds.person(person.id),
    "User.username": person.username,
    "Person.name.full": `${person.given} ${person.family}`,
    "Person.address.timezone": "Europe/London",
    "Message.locale": "en-GB",
  };
  const parameters = { ...tool.custom, ...link?.custom, ...review?.custom };
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      value.startsWith("$") ? (variables[value.slice(1)] ?? value) : value,
    ]),
  );
}
