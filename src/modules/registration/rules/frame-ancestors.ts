import type { Course } from "../../../domain/course.ts";
import type { LmsCapabilities } from "../../../domain/lms-product.ts";
import type { Registration } from "../../../domain/registration.ts";

/** Addresses from verified launches; see `courseUrlOf` in lms for the first. */
export type LmsAddresses = Pick<Course, "courseUrl" | "lineItemsUrl" | "membershipsUrl">;

/**
 * Origins that may frame a course's pages, by LMS product (record 0005).
 * @param reader Origin of the return address of this reader's launch; null for none.
 * @returns null when unknown: a page wrongly kept out of its LMS would be a blank frame for a class.
 */
export function frameAncestors(
  product: Pick<LmsCapabilities, "frameAncestors">,
  registration: Pick<Registration, "issuer" | "authorizationUrl">,
  addresses: LmsAddresses,
  reader: string | null,
): string[] | null {
  const origins = product.frameAncestors({
    registered: originsOf([registration.issuer, registration.authorizationUrl]),
    course: originsOf([addresses.courseUrl]),
    services: originsOf([addresses.lineItemsUrl, addresses.membershipsUrl]),
    reader: originsOf([reader]),
  });
  return origins === null ? null : [...new Set(origins)].sort();
}

function originsOf(addresses: readonly (string | null)[]): string[] {
  return addresses.flatMap((address) => {
    const url = URL.parse(address ?? "");
    if (url === null || !/^https?:$/.test(url.protocol)) return [];
    // Anything else in a host could end the directive, or begin another policy.
    return /^(?:\[[\da-f:]+\]|[a-z\d.-]+)(?::\d+)?$/.test(url.host) ? [url.origin] : [];
  });
}
