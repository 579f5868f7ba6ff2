import type { Course } from "../../../domain/course.ts";
import { familyOfProduct, hasOwnAdapter, type LmsCapabilities } from "../../../domain/lms-product.ts";
import {
  date,
  describeRecord,
  expiry,
  index,
  json,
  number,
  text,
  texts,
  unique,
} from "../../../domain/record.ts";
import {
  deploymentRecord,
  invitationRecord,
  type Registration,
  registrationRecord,
} from "../../../domain/registration.ts";
import { lmsPauseRecord } from "./lms-pause.ts";

export const accessTokenRecord = describeRecord("AccessToken", {
  id: null,
  fields: {
    registrationId: text,
    scopes: text,
    sealedToken: text,
    expiresAt: date,
  },
  indexes: [expiry("expiresAt")],
  held: {
    key: "accessTokens",
    holds: "sealed access tokens of an LMS; no person",
    kept: "until they run out; then the store deletes them",
  },
});

export const connectionTestRecord = describeRecord("ConnectionTest", {
  id: null,
  fields: { checkedAt: number, checks: json<readonly unknown[]>() },
  held: {
    key: "connectionTests",
    holds: "what came of the latest test of an LMS; no person",
    kept: "with the LMS",
    ofRegistration: (registrationId) => ({ _id: registrationId }),
  },
});

export const toolKeyRecord = describeRecord("ToolKey", {
  id: "kid",
  fields: {
    registrationId: text,
    /** 1, 2, 3 ... within the registration, so that two processes cannot both make the next key. */
    generation: number,
    publicKey: text,
    sealedPrivateKey: text,
    notBefore: number,
    retiredAt: number.orNull,
    createdAt: number,
  },
  indexes: [unique("registrationId", "generation")],
  held: {
    key: "keys",
    holds: "signing keys of the tool, sealed; no person",
    kept: "until withdrawn long enough",
  },
});

export const nonceRecord = describeRecord("Nonce", {
  id: null,
  fields: { expiresAt: date },
  indexes: [expiry("expiresAt")],
  held: {
    key: "nonces",
    holds: "nonces of launches; no person",
    kept: "minutes; then the store deletes them",
  },
});

/** References of refused launches that are kept of one LMS and reason. */
export const maxReferences = 50;

export const refusedLaunchRecord = describeRecord("RefusedLaunch", {
  id: null,
  fields: {
    /** "" where the request named no registered LMS; then it is known by what the request said. */
    registrationId: text,
    issuer: text,
    clientId: text,
    code: text,
    count: number,
    firstAt: number,
    lastAt: number,
    /** Of the latest one, as on its page and in the log. */
    reference: text,
  },
  hidden: {
    expiresAt: date,
    /** Of the latest ones, latest last; missing in earlier versions. */
    references: texts.optional,
  },
  indexes: [index("references"), expiry("expiresAt")],
  held: {
    key: "refusedLaunches",
    holds: "how many launches of an LMS were refused, and why; no person",
    kept: "30 days after the latest one; then the store deletes them",
    ofRegistration: (registrationId) => ({ registrationId }),
  },
});

/** How many launches of an LMS were refused in one hour; kept as long as daily sums may still need it. */
export const failedLaunchHourRecord = describeRecord("FailedLaunchHour", {
  id: null,
  fields: {
    /** "" for launches of no registered LMS. */
    registrationId: text,
    /** When the hour began (ms, UTC). */
    hour: number,
    count: number,
  },
  hidden: { expiresAt: date },
  indexes: [index("hour", "registrationId"), expiry("expiresAt")],
  held: {
    key: "failedLaunchHours",
    holds: "how many launches of an LMS were refused in each hour; no person",
    kept: "three weeks; then the store deletes them",
    ofRegistration: (registrationId) => ({ registrationId }),
  },
});

export const registrationRecords = [
  accessTokenRecord,
  connectionTestRecord,
  deploymentRecord,
  invitationRecord,
  lmsPauseRecord,
  toolKeyRecord,
  nonceRecord,
  refusedLaunchRecord,
  failedLaunchHourRecord,
  registrationRecord,
];

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
