import { courseRightsOf, isLearner, isMentor } from "../domain/course-rights.ts";
import type { DeepLinkingRequest, Launch, LaunchPerson } from "../domain/launch.ts";
import type { Registration } from "../domain/registration.ts";
import { cutTo } from "../kernel/text.ts";
import { administersLms } from "../modules/courses/rules/course.ts";
import { claim, type LaunchClaims } from "./claims.ts";
import { LaunchRefusal } from "../domain/launch-refusal.ts";
import { maxReturnLength } from "./limits.ts";
import { productOf } from "./products/products.ts";
import { scopes } from "./scopes.ts";

const kinds = new Map<string, Launch["kind"]>([
  ["LtiResourceLinkRequest", "resource-link"],
  ["LtiDeepLinkingRequest", "deep-linking"],
  ["LtiSubmissionReviewRequest", "submission-review"],
]);

/** Translates claims into a `Launch`. @throws LaunchRefusal "message-unsupported", or "launch-incomplete" for its kind. */
export function launchFromClaims(registrationId: string, claims: LaunchClaims): Launch {
  const messageType = claims[claim.messageType];
  const kind = kinds.get(messageType);
  if (kind === undefined)
    throw new LaunchRefusal("message-unsupported", { messageType: cutTo(messageType, 80) });
  const link = linkOf(claims);
  const deepLinking = deepLinkingOf(claims);
  const missing = missingFrom(kind, { link, deepLinking, forUser: claims[claim.forUser] ?? null });
  if (missing !== null) throw new LaunchRefusal("launch-incomplete", { missing });
  return {
    registrationId,
    deploymentId: claims[claim.deploymentId],
    kind,
    person: personOf(claims),
    rights: courseRightsOf(claims[claim.roles]),
    student: isLearner(claims[claim.roles]),
    administrator: administersLms(claims[claim.roles]),
    course: courseOf(claims),
    link,
    grades: gradesOf(claims),
    membershipsUrl: claims[claim.memberships]?.context_memberships_url ?? null,
    groups: groupsOf(claims),
    notices: noticesOf(claims),
    product: productFamilyOf(claims),
    custom: customOf(claims[claim.custom] ?? {}),
    presentation: presentationOf(claims),
    forUser: claims[claim.forUser]?.user_id ?? null,
    // The list only counts with the mentor role (Core 1.3, 5.4.7).
    mentorOf: isMentor(claims[claim.roles]) ? (claims[claim.mentorOf] ?? []) : [],
    deepLinking: kind === "deep-linking" ? deepLinking : null,
  };
}

function missingFrom(
  kind: Launch["kind"],
  given: { link: object | null; deepLinking: object | null; forUser: object | null },
): string | null {
  switch (kind) {
    case "resource-link":
      return given.link === null ? "resource_link.id" : null;
    case "deep-linking":
      return given.deepLinking === null ? "deep_linking_settings" : null;
    case "submission-review":
      return given.forUser === null ? "for_user" : null;
  }
}

function linkOf(claims: LaunchClaims): Launch["link"] {
  const link = claims[claim.resourceLink] ?? null;
  return link && { id: link.id, title: link.title ?? "" };
}

function courseOf(claims: LaunchClaims): Launch["course"] {
  const course = claims[claim.context] ?? null;
  return course && { id: course.id, title: course.title ?? "", label: course.label ?? "" };
}

function productFamilyOf(claims: LaunchClaims): string | null {
  return claims[claim.platform]?.product_family_code ?? null;
}

function personOf(claims: LaunchClaims): LaunchPerson | null {
  const { sub } = claims;
  if (sub === undefined || sub === null || sub === "") return null;
  return {
    sub,
    name: claims.name,
    givenName: claims.given_name,
    familyName: claims.family_name,
    email: claims.email,
  };
}

function gradesOf(claims: LaunchClaims): Launch["grades"] {
  const grades = claims[claim.grades] ?? null;
  if (grades === null) return null;
  return { lineItemsUrl: grades.lineitems, lineItemUrl: grades.lineitem, scopes: grades.scope };
}

function groupsOf(claims: LaunchClaims): Launch["groups"] {
  const given = claims[claim.groups] ?? null;
  if (given?.context_groups_url == null || !given.scope.includes(scopes.groups)) return null;
  return { groupsUrl: given.context_groups_url, setsUrl: given.context_group_sets_url };
}

function noticesOf(claims: LaunchClaims): Launch["notices"] {
  const given = claims[claim.notices] ?? null;
  if (given?.platform_notification_service_url == null) return null;
  return {
    url: given.platform_notification_service_url,
    types: given.notice_types_supported,
    scopes: given.scope,
  };
}

function presentationOf(claims: LaunchClaims): Launch["presentation"] {
  const given = claims[claim.presentation] ?? null;
  return {
    target: given?.document_target ?? "unknown",
    locale: given?.locale ?? claims.locale,
    returnUrl: given?.return_url ?? null,
    courseUrl: null, // depends on the registration: see courseUrlOf
  };
}

function deepLinkingOf(claims: LaunchClaims): DeepLinkingRequest | null {
  const settings = claims[claim.deepLinking] ?? null;
  if (settings?.deep_link_return_url == null) return null;
  return {
    returnUrl: settings.deep_link_return_url,
    acceptTypes: settings.accept_types,
    acceptTargets: settings.accept_presentation_document_targets,
    acceptMultiple: settings.accept_multiple,
    acceptLineItem: settings.accept_lineitem ?? null,
    title: settings.title,
    text: settings.text,
    data: settings.data ?? null,
  };
}

/**
 * Custom parameters as text. An unknown variable arrives as its own name ("$Context.id.history"), which means "not supported". Null
 * means "no value" (Moodle when the teacher doesn't share it).
 */
export function customOf(given: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries: [string, string][] = [];
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === "string") {
      if (!/^\$[A-Za-z]/.test(value)) entries.push([name, value]);
    } else if (typeof value === "number" || typeof value === "boolean") {
      entries.push([name, String(value)]); // Canvas leaves booleans as they are
    }
  }
  return Object.fromEntries(entries);
}

/**
 * The course's page in the LMS, made from the launch's `return_url` (LTI Core 1.3, 5.4.4.8). We don't store that address, because it may
 * belong to one person's session (Moodle's has a `sesskey`).
 * @returns null if there is none, or if we don't know the address as one of this LMS.
 */
export function courseUrlOf(registration: Registration, launch: Launch): string | null {
  const given = URL.parse(launch.presentation.returnUrl ?? "");
  if (launch.course === null || given === null || !isOfLms(given, registration, launch)) return null;
  const course = productOf(registration).links.courseUrl(given) ?? given;
  if (course.origin !== given.origin || !isHarmless(course)) return null;
  course.hash = "";
  return course.href.length <= maxReturnLength ? course.href : null;
}

/** Whether an address is on a host of the registration or of the launch's services. In Canvas's cloud, only the latter are the school's. */
function isOfLms(url: URL, registration: Registration, launch: Launch): boolean {
  const { issuer, authorizationUrl, tokenUrl, jwksUrl } = registration;
  const services = [launch.membershipsUrl, launch.grades?.lineItemsUrl, launch.groups?.groupsUrl];
  const known = [issuer, authorizationUrl, tokenUrl, jwksUrl, ...services].map(
    (address) => URL.parse(address ?? "")?.origin,
  );
  return (
    /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" && known.includes(url.origin)
  );
}

/** Whether the query only has ids of things, and nothing that looks like a person's id. */
function isHarmless(url: URL): boolean {
  if (/;|\/users?\//i.test(url.pathname)) return false;
  return [...url.searchParams].every(
    ([name, value]) =>
      /^(id|(course|site|context|content|group|org_?unit|module|page|ou)(_?id)?)$/i.test(name) &&
      /^[\w.-]{1,64}$/.test(value),
  );
}
