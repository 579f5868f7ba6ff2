import type { Course } from "../../../domain/course.ts";
import { familyOfProduct, hasOwnAdapter, type LmsCapabilities } from "../../../domain/lms-product.ts";
import type { Registration } from "../../../domain/registration.ts";

/**
 * A registration after its LMS has named its product. An operator's choice stays, and so does a known product: an LMS
 * does not become another one, so people look at a contradiction.
 * @param product What a verified launch says; null for nothing.
 * @returns the same object when nothing is new.
 */
export function withReportedProduct(registration: Registration, product: string | null): Registration {
  if (product === null || product === registration.product) return registration;
  const learns = registration.familyFrom !== "operator" && !hasOwnAdapter(registration.family);
  return { ...registration, product, ...(learns ? { family: familyOfProduct(product) } : {}) };
}

/** The product that the LMS names, when it is treated as another one; else null. */
export function contradictingProduct({ family, product }: Registration): string | null {
  return product === undefined || familyOfProduct(product) === family ? null : product;
}

type ToolKeyTimes = { usedFrom: number; retiredAt: number | null };

/** "published": LMSs can learn it; "signing"; "retiring": still published for what was signed with it; "over". */
export type ToolKeyState = "published" | "signing" | "retiring" | "over";

/** The states of one registration's keys: of those that may sign, the newest does. @param keys Newest first. */
export function toolKeyStates(keys: readonly ToolKeyTimes[], now: number): ToolKeyState[] {
  const isOver = ({ retiredAt }: ToolKeyTimes) => retiredAt !== null && retiredAt <= now;
  const signing = keys.find((key) => key.usedFrom <= now && !isOver(key));
  return keys.map((key) => {
    if (isOver(key)) return "over";
    if (key.usedFrom > now) return "published";
    return key === signing ? "signing" : "retiring";
  });
}

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
