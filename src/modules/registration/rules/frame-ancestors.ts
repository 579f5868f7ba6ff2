import type { Course } from "../../../domain/course.ts";
import type { Registration } from "../../../domain/registration.ts";

/** Addresses of a course's LMS that verified launches told; see `lms/way-back.ts` for the first. */
export type ToldAddresses = Pick<Course, "courseUrl" | "lineItemsUrl" | "membershipsUrl">;

/**
 * Origins that may show a course's pages in a frame.
 *
 * - Moodle's pages all come from its own address, which is its issuer (moodle: dynamic registration, `wwwroot`).
 * - Canvas's cloud has one issuer for all schools and hosts that all share; a school's pages come from its own host under
 *   instructure.com, or from a domain of its own. Services are on the school's canonical host, whatever domain a reader came
 *   by: only the return address of the reader's own launch tells that.
 * - Of other LMSs only those whose reader came by a host they were registered with are known. A hosted LMS (Blackboard,
 *   Schoology, Brightspace) may show the same course under several.
 * @param reader Origin of the return address of this reader's launch; null when it told none.
 * @returns null when it cannot be known: a page that is wrongly kept out of its LMS would be a blank frame for a class.
 */
export function frameAncestors(
  registration: Pick<Registration, "family" | "issuer" | "authorizationUrl">,
  told: ToldAddresses,
  reader: string | null,
): string[] | null {
  const registered = originsOf([registration.issuer, registration.authorizationUrl]);
  const own = originsOf([reader]);
  switch (registration.family) {
    case "moodle":
      return unique([...registered, ...originsOf([told.courseUrl]), ...own]);
    case "canvas": {
      if (own.length === 0) return null;
      const schools = originsOf([told.courseUrl, told.lineItemsUrl, told.membershipsUrl]);
      const cloud = registered.some(isCanvasCloud) ? [canvasSchools] : [];
      return unique([...registered, ...schools, ...own, ...cloud]);
    }
    case "other":
      return own.some((origin) => registered.includes(origin)) ? unique(registered) : null;
  }
}

/** A school's host, whatever domain of its own it has beside. */
const canvasSchools = "https://*.instructure.com";

function isCanvasCloud(origin: string): boolean {
  return /\.(instructure|canvaslms)\.com$/.test(new URL(origin).hostname);
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

function unique(origins: readonly string[]): string[] {
  return [...new Set(origins)].sort();
}
