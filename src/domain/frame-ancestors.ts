import type { Course } from "./course.ts";
import type { Registration } from "./registration.ts";

/** Addresses of a course's LMS that verified launches told; see `lms/way-back.ts` for the first. */
export type ToldAddresses = Pick<Course, "courseUrl" | "lineItemsUrl" | "membershipsUrl">;

/**
 * Origins that may show a course's pages in a frame.
 *
 * - Moodle's pages all come from its own address, which is its issuer (moodle: dynamic registration, `wwwroot`).
 * - Canvas's cloud has one issuer for all schools and hosts that all share; a school's pages come from its own host under
 *   instructure.com, or from a domain of its own. Launches tell that: return address and services are on it.
 * - Of other LMSs only those whose course pages are on a host they were registered with are known to have one host. A
 *   hosted LMS (Blackboard, Schoology, Brightspace) may show the same course under several.
 * @returns null when it cannot be known: a page that is wrongly kept out of its LMS would be a blank frame for a class.
 */
export function frameAncestors(
  registration: Pick<Registration, "family" | "issuer" | "authorizationUrl">,
  told: ToldAddresses,
): string[] | null {
  const registered = originsOf([registration.issuer, registration.authorizationUrl]);
  const coursePage = originsOf([told.courseUrl]);
  switch (registration.family) {
    case "moodle":
      return unique([...registered, ...coursePage]);
    case "canvas": {
      const schools = originsOf([told.courseUrl, told.lineItemsUrl, told.membershipsUrl]);
      if (schools.length === 0) return null;
      return unique([...registered, ...schools, ...(registered.some(isCanvasCloud) ? [canvasSchools] : [])]);
    }
    case "other":
      return coursePage.some((origin) => registered.includes(origin)) ? unique(registered) : null;
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
    return url !== null && /^https?:$/.test(url.protocol) ? [url.origin] : [];
  });
}

function unique(origins: readonly string[]): string[] {
  return [...new Set(origins)].sort();
}
