import type { Course } from "../../../domain/course.ts";
import type { LmsCapabilities } from "../../../domain/lms-product.ts";
import type { Registration } from "../../../domain/registration.ts";

/** Addresses of a course's LMS that verified launches told; see `lms/way-back.ts` for the first. */
export type ToldAddresses = Pick<Course, "courseUrl" | "lineItemsUrl" | "membershipsUrl">;

/**
 * Origins that may show a course's pages in a frame, as far as the LMS's product lets it be known.
 * @param reader Origin of the return address of this reader's launch; null when it told none.
 * @returns null when it cannot be known: a page that is wrongly kept out of its LMS would be a blank frame for a class.
 */
export function frameAncestors(
  product: Pick<LmsCapabilities, "frameAncestors">,
  registration: Pick<Registration, "issuer" | "authorizationUrl">,
  told: ToldAddresses,
  reader: string | null,
): string[] | null {
  const origins = product.frameAncestors({
    registered: originsOf([registration.issuer, registration.authorizationUrl]),
    course: originsOf([told.courseUrl]),
    services: originsOf([told.lineItemsUrl, told.membershipsUrl]),
    reader: originsOf([reader]),
  });
  return origins === null ? null : [...new Set(origins)].sort();
}

/** Web origins of those that have one. */
function originsOf(addresses: readonly (string | null)[]): string[] {
  return addresses.flatMap((address) => {
    const url = URL.parse(address ?? "");
    if (url === null || !/^https?:$/.test(url.protocol)) return [];
    // What else may stand in a host would end the directive, or begin another policy.
    return /^(?:\[[\da-f:]+\]|[a-z\d.-]+)(?::\d+)?$/.test(url.host) ? [url.origin] : [];
  });
}
