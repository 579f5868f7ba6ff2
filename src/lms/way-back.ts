import type { Launch } from "../domain/launch.ts";
import type { Registration } from "../domain/registration.ts";
import { productOf } from "./products/products.ts";
import { maxReturnLength } from "./limits.ts";

/**
 * The course's page in the LMS, from the launch's `return_url` (LTI Core 1.3, 5.4.4.8), which itself is not kept: it
 * may belong to one person's session (Moodle's carries a `sesskey`).
 * @returns null for none, or for an address that is not known as this LMS's.
 */
export function courseUrlOf(registration: Registration, launch: Launch): string | null {
  const given = URL.parse(launch.presentation.returnUrl ?? "");
  if (launch.course === null || given === null || !isOfLms(given, registration, launch)) return null;
  const { origin } = given;
  const course = productOf(registration).links.courseUrl(given) ?? given;
  if (course.origin !== origin || !isHarmless(course)) return null;
  course.hash = "";
  return course.href.length <= maxReturnLength ? course.href : null;
}

/** On hosts of the registration or the launch's services: in Canvas's cloud only the latter are the school's. */
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

/** Only ids of things may stand in its query, nothing that looks like one person's. */
function isHarmless(url: URL): boolean {
  if (/;|\/users?\//i.test(url.pathname)) return false;
  return [...url.searchParams].every(
    ([name, value]) =>
      /^(id|(course|site|context|content|group|org_?unit|module|page|ou)(_?id)?)$/i.test(name) &&
      /^[\w.-]{1,64}$/.test(value),
  );
}
