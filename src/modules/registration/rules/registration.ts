import type { Course } from "../../../domain/course.ts";
import { familyOfProduct, hasOwnAdapter, type LmsCapabilities } from "../../../domain/lms-product.ts";
import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";
import {
  deploymentRecord,
  invitationRecord,
  type Registration,
  registrationRecord,
} from "../../../domain/registration.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { dayMs, minuteMs } from "../../../kernel/clock.ts";
import type { CodedSentence } from "../../../kernel/refusal.ts";

export const accessTokenRecord = describeRecord("AccessToken", {
  readOnce: true,
  id: null,
  fields: { registrationId: field.text, scopes: field.text, sealedToken: field.text, expiresAt: field.date },
  indexes: [index.expiry("expiresAt")],
  personalData: {
    key: "accessTokens",
    holds: "sealed access tokens of an LMS; no person",
    stored: "until they expire",
  },
});

export type ConnectionCheck = {
  step: "keys" | "launch" | "token" | "roster" | "line-items" | "results" | "description";
  outcome: "works" | "fails" | "not-tried";
  /** For the administrator, in English: what was seen, or what to do. */
  message: string;
  /** The same for another language, without where the LMS allows it. */
  coded?: CodedSentence | undefined;
  /** Full URI of the scope that the LMS didn't grant. Null if that isn't the problem. */
  missingScope: string | null;
};

/** What a connection test tried with one LMS, in order. */
export const connectionTestRecord = describeRecord("ConnectionTest", {
  id: "registrationId",
  fields: { checkedAt: field.number, checks: field.json<readonly ConnectionCheck[]>() },
  personalData: {
    key: "connectionTests",
    holds: "the result of an LMS's latest connection test; no person",
    stored: "with the LMS",
    ofRegistration: (registrationId) => ({ _id: registrationId }),
  },
});

export type ConnectionReport = ItemOf<typeof connectionTestRecord>;

export const toolKeyRecord = describeRecord("ToolKey", {
  id: "kid",
  fields: {
    registrationId: field.text,
    /** 1, 2, 3 ... within the registration, so two processes can't both make the next key. */
    generation: field.number,
    publicKey: field.text,
    sealedPrivateKey: field.text,
    notBefore: field.number,
    retiredAt: field.number.orNull,
    createdAt: field.number,
  },
  indexes: [index.unique("registrationId", "generation")],
  personalData: {
    key: "keys",
    holds: "the tool's signing keys, sealed; no person",
    stored: "a week after its withdrawal",
  },
});

export const nonceRecord = describeRecord("Nonce", {
  id: null,
  fields: { expiresAt: field.date },
  indexes: [index.expiry("expiresAt")],
  personalData: { key: "nonces", holds: "nonces of launches; no person", stored: "minutes" },
});

/** How many references of refused launches are kept per LMS and reason. */
export const maxReferences = 50;

export const refusedLaunchRecord = describeRecord("RefusedLaunch", {
  id: null,
  fields: {
    /** "" if the request named no registered LMS. Then what the request said identifies it. */
    registrationId: field.text,
    issuer: field.text,
    clientId: field.text,
    code: field.text,
    count: field.number,
    firstAt: field.number,
    lastAt: field.number,
    /** The latest launch's reference, as on its page and in the log. */
    reference: field.text,
  },
  hidden: {
    expiresAt: field.date,
    /** References of the latest launches, latest last. Missing in earlier versions. */
    references: field.texts.optional,
  },
  indexes: [index("references"), index.expiry("expiresAt")],
  personalData: {
    key: "refusedLaunches",
    holds: "how many of an LMS's launches were refused, and why; no person",
    stored: "30 days after the latest one",
    ofRegistration: (registrationId) => ({ registrationId }),
  },
});

/** How many launches of an LMS were refused in one hour. Kept as long as daily sums may need it. */
export const failedLaunchHourRecord = describeRecord("FailedLaunchHour", {
  id: null,
  fields: {
    /** "" for launches of no registered LMS. */
    registrationId: field.text,
    /** When the hour began (ms, UTC). */
    hour: field.number,
    count: field.number,
  },
  hidden: { expiresAt: field.date },
  indexes: [index("hour", "registrationId"), index.expiry("expiresAt")],
  personalData: {
    key: "failedLaunchHours",
    holds: "how many of an LMS's launches were refused in each hour; no person",
    stored: "three weeks",
    ofRegistration: (registrationId) => ({ registrationId }),
  },
});

/**
 * A registration after its LMS has named its product. An operator's choice stays, and so does a known product, because an LMS doesn't become
 * another one. People look at a contradiction.
 * @param product What a verified launch says, or null.
 * @returns the same object if nothing is new.
 */
export function withReportedProduct(registration: Registration, product: string | null): Registration {
  if (product === null || product === registration.product) return registration;
  const learns = registration.familyFrom !== "operator" && !hasOwnAdapter(registration.family);
  return { ...registration, product, ...(learns ? { family: familyOfProduct(product) } : {}) };
}

/** The product that the LMS names, if it's treated as another product. Otherwise null. */
export function contradictingProduct({ family, product }: Registration): string | null {
  return product === undefined || familyOfProduct(product) === family ? null : product;
}

type ToolKeyTimes = { usedFrom: number; retiredAt: number | null };

/** "published": LMSs can learn it. "signing". "retiring": still published for what was signed with it. "over". */
export type ToolKeyState = "published" | "signing" | "retiring" | "over";

/** The states of one registration's keys. Of the keys that may sign, the newest does. @param keys Newest first. */
export function toolKeyStates(keys: readonly ToolKeyTimes[], now: number): ToolKeyState[] {
  const isOver = ({ retiredAt }: ToolKeyTimes) => retiredAt !== null && retiredAt <= now;
  const signing = keys.find((key) => key.usedFrom <= now && !isOver(key));
  return keys.map((key) => {
    if (isOver(key)) return "over";
    if (key.usedFrom > now) return "published";
    return key === signing ? "signing" : "retiring";
  });
}

/** Addresses from verified launches. For the first one, see `courseUrlOf` in lms. */
export type LmsAddresses = Pick<Course, "courseUrl" | "lineItemsUrl" | "membershipsUrl">;

/**
 * Origins that may frame a course's pages, by LMS product (record 0005).
 * @param reader Origin of the return address of this reader's launch, or null.
 * @returns null if unknown, because a page wrongly kept out of its LMS would be a blank frame for a class.
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

/** refused: the LMS gives the tool no access token · closed: it answers every call with a maintenance page · silent: no answer. */
export const pauseReasons = ["refused", "closed", "silent"] as const;

/** While this lasts, no process calls an LMS's services. One record per LMS and reason. */
export const lmsPauseRecord = describeRecord("LmsPause", {
  id: null,
  fields: {
    registrationId: field.text,
    why: field.textOf<(typeof pauseReasons)[number]>(),
    since: field.number,
    /** By the clock of the process that asked (ms). */
    triedAt: field.number,
    nextTryAt: field.number,
    /** How often the LMS has said so. */
    tries: field.number,
    /** HTTP status of its latest answer, or 0 if there was none. */
    status: field.number,
    /** The LMS's error code (RFC 6749, section 5.2), or why there was no answer. Otherwise null. */
    error: field.text.orNull,
    /** The host that doesn't answer. Otherwise left out. */
    host: field.text.optional,
    /** Scope sets for which it gave no token, each sorted and joined by a space. Empty if it's closed. */
    refused: field.texts.or([]),
    /** Whether one of them is for the gradebook. */
    grades: field.flag.or(false),
    /** Only concerns these scopes: the LMS gives other tokens, or said so. */
    ofScopes: field.flag.or(false),
  },
  personalData: {
    key: "lmsPauses",
    holds: "since when and why calls to an LMS pause; no person",
    stored: "until the LMS answers again",
  },
});
export type LmsPause = ItemOf<typeof lmsPauseRecord>;

/** After this (ms), another process may try, because the one that tries may have ended. */
export const trialTtlMs = 30_000;

/** A maintenance page that promises at least this (ms) closes the LMS for all processes. Less is a hiccup. */
export const minClosingMs = 5_000;

/**
 * How soon a closed LMS is asked again (ms). A 503's Retry-After is an estimate (RFC 9110, 10.2.3), and maintenance is often over sooner. A
 * 429's is a demand (RFC 6585, 4), and is respected.
 */
export const closedCheckIntervalMs = 30_000;

/** If a clock was ahead by more than this (ms), a pause is due, because its times are useless. */
const maxClockLeadMs = minuteMs;

/** Whether the LMS may be asked again. */
export function isPauseDue({ nextTryAt, triedAt }: LmsPause, now: number): boolean {
  return nextTryAt <= now || triedAt > now + maxClockLeadMs;
}

/** Whether a caller has taken the right to try. */
export function isBeingTried({ nextTryAt, triedAt }: LmsPause): boolean {
  return nextTryAt === triedAt + trialTtlMs;
}

const firstPausesMs = [10_000, minuteMs, 5 * minuteMs];

/**
 * The pause after a refused token (ms): ten seconds, 1, 5, 15 minutes, and each hour after a day. An LMS also refuses a token if it looks for
 * a new key while the tool restarts.
 */
export function refusedPause(tries: number, since: number, now: number): number {
  return firstPausesMs[tries - 1] ?? (now - since < dayMs ? 15 : 60) * minuteMs;
}

/** An LMS is silent after this many calls without an answer. Fewer are a hiccup. */
export const silentTries = 3;

/** The pause of a silent LMS (ms): 5, 10, 20, 40 seconds, then a minute. */
export function silentPause(tries: number): number {
  return Math.min(5_000 * 2 ** (tries - 1), minuteMs);
}

/** Whether no score can be sent. A refusal of some scopes only concerns some courses. */
export function stopsScores(pause: LmsPause, now: number): boolean {
  if (isPauseDue(pause, now)) return false;
  return pause.why !== "refused" || (pause.grades && !pause.ofScopes);
}

export const pausedCodes: readonly string[] = [
  "lms-closed",
  "lms-unreachable",
  "lms-token-refused",
  "lms-key-refused",
];

/** The end of the pause that caused an error, otherwise null. */
export function pausedUntil(thrown: unknown): number | null {
  const until = thrown instanceof NamedError ? thrown.details["pausedUntil"] : null;
  return typeof until === "number" ? until : null;
}

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
