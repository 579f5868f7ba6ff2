import type { AttributionNames } from "../modules/feedback/rules/feedback.ts";
import { pageValues, type PagingSettings, type RecordingSettings } from "./dialect-replies.ts";

/**
 * The document leaves most shapes "not shown", and gives two methods and several paths for some calls. All our choices are in
 * default-dialect.ts. A JSON file that CLASSROOM_DIALECT names can override any part (see parse-dialect.ts).
 */
export type Dialect = {
  /** How the key is sent (parts 5 and 9: not shown). */
  apiKey: {
    header: string;
    /** The word before the key; "" sends only the key. */
    scheme: string;
    /** The query parameter that carries the key instead of the header. */
    query: string | null;
  };
  /** Headers for every call, such as a version of the API. */
  headers: Record<string, string>;
  /** What statuses other than 429 mean (part 7: not shown). */
  statuses: {
    /** The address or method is wrong. We try the next documented one. */
    elsewhere: number[];
    /** The body wasn't understood and nothing was created. We try the next shape; once one has worked, a refusal is about the call itself. */
    refusedBody: number[];
    /** The user is on the Space's list already. */
    already: number[];
    /** The thing to read doesn't exist, or no longer does. */
    gone: number[];
    keyRefused: number[];
  };
  /** Envelopes of a whole reply. We try each path in the reply itself and inside these. */
  envelopes: string[];
  /**
   * For a service that requires e-mail addresses, if the LMS withholds a user's: "{reference}" is our id of the person, "{role}" their role;
   * null leaves the field out. `ofRole` changes a known address, for a service that accepts each address once: "{local}+host@{domain}";
   * null doesn't change it. Such a service sends these users no mail (part 1, item 5).
   */
  email: { synthetic: string | null; ofRole: { host: string | null; participant: string | null } };
  /** The longest names and titles, in UTF-16 units (document part 4: not shown). We cut longer ones. */
  lengths: { name: number; title: number };
  /** Our words in the service's spelling: `words.role.host` is sent for the role "host". */
  words: Record<string, Record<string, string>>;
  /**
   * Whether the limit counts requests on arrival, or replies when made; "Fewer than 5 queries per second" (part 8) doesn't say. If replies
   * take varying times, we can make fewer calls.
   */
  rateLimitCounts: "arrivals" | "replies";
  /** "Analytics queries: slower and subject to stricter limits; the exact values: not shown" (part 8). Calls are spread evenly. */
  analytics: { calls: number; perSeconds: number };
  /** Origins besides the app URL to which the `url` of authorize may lead. */
  loginOrigins: string[];
  /**
   * Further origins that the `url` of createSpace may name. Browsers never go there, because we make the Space URL from the app URL (part 4).
   * A Space on another origin stays unused until its origin is listed here.
   */
  knownSpaceOrigins: string[];
  /**
   * Whether a user has the role for which it was made: "created per host and per participant" (parts 1 and 2). If not, a person has
   * one user for both roles, and the service decides what they may do.
   */
  usersHaveRoles: boolean;
  /** Where a login may lead before the Space (part 4: not shown). "loginOrigins": nowhere else, and our forms enforce it. */
  afterLogin: "anywhere" | "loginOrigins";
  /** Names under which the end-of-session redirect may carry its attribution (part 1, item 9: not shown), in order of preference. */
  feedbackRedirect: AttributionNames;
  recordings: RecordingSettings;
  /** Paging (part 8: not shown). */
  pages: PagingSettings;
  operations: Record<OperationName, OperationDialect>;
};

export type OperationDialect = {
  /** "analytics" operations first need a permit from a slower budget. */
  budget: "general" | "analytics";
  /**
   * Tried in order while the answer's status is in `statuses.elsewhere` or `statuses.refusedBody`. The one that worked is remembered.
   * Several routes may share an address and have different bodies.
   */
  routes: RouteDialect[];
  /**
   * For each field its possible paths, in order: names joined by dots; "" is the reply itself; "@location" is the last part of a 201's
   * Location header. Names are compared exactly first, then without case, "_" and "-". A list with one entry counts as that entry.
   * For a list, "items" is its path, and the other fields belong to its entries.
   */
  reply: Record<string, string[]>;
  /** Values with a meaning for us, in any case, such as `values.cancelled` for an event's status. */
  values: Record<string, string[]>;
};

/**
 * A documented address. Placeholders: "{name}" is the value; "{name:encoded}" the URL-encoded value, for a body with an encoded text;
 * "{name:seconds}" and "{name:milliseconds}" a time as a number; "{name:lowercase}" a word in lower case. Path and query are encoded
 * for transport, once. A text that is only a placeholder keeps the value's type, and is left out if there is no value. A list whose
 * single entry has "{names:each}" is repeated for each value of a list: `[{ "userId": "{attendeeUserIds:each}" }]`.
 */
export type RouteDialect = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  query: Record<string, string>;
  /** null sends no body. */
  body: Record<string, unknown> | null;
  encoding: "json" | "form";
  /** These take precedence over the dialect's words. */
  words: Record<string, Record<string, string>>;
};

/** The operations this tool uses (document part 4). */
export const operationNames = [
  "createApiUser",
  "updateApiUser",
  "createSpace",
  "addToSpace",
  "authorize",
  "createEvent",
  "readEvent",
  "updateEvent",
  "cancelEvent",
  "findEvents",
  "readAttendance",
  "readCohort",
  "findCohorts",
  "readAlert",
  "readRecordings",
  "readSessions",
  "configureWebhook",
] as const;

export type OperationName = (typeof operationNames)[number];

/** Not in the document, or (the webhook address) also possible by hand. Without an address, they are never called. */
export const optionalOperations: ReadonlySet<OperationName> = new Set([
  "updateApiUser",
  "addToSpace",
  "updateEvent",
  "cancelEvent",
  "findEvents",
  "findCohorts",
  "configureWebhook",
]);

export const operationValues: Readonly<Record<OperationName, readonly string[]>> = {
  createApiUser: ["reference", "name", "givenName", "familyName", "email", "role"],
  // Not the role, which was that of the course the person entered first.
  updateApiUser: ["userId", "reference", "name", "givenName", "familyName", "email"],
  createSpace: ["name", "access", "waitingRoom", "ownerUserId", "hostUserIds", "participantUserIds"],
  // One person, or two lists with that person in the list of their role.
  addToSpace: ["spaceId", "userId", "role", "hostUserIds", "participantUserIds"],
  authorize: ["userId", "redirectUrl"],
  // The default body has no place for cohorts, because the document doesn't show whether POST /events takes any.
  createEvent: [
    "title",
    "spaceId",
    "startsAt",
    "endsAt",
    "durationMinutes",
    "hostUserId",
    "attendeeUserIds",
    "cohortIds",
  ],
  readEvent: ["eventId"],
  updateEvent: ["eventId", "title", "spaceId", "startsAt", "endsAt", "durationMinutes"],
  cancelEvent: ["eventId"],
  findEvents: ["spaceId", "from", "to", ...pageValues],
  readAttendance: ["eventId", ...pageValues],
  readCohort: ["programId", "cohortId"],
  findCohorts: ["programId", ...pageValues],
  readAlert: ["alertId"],
  readRecordings: ["spaceId", ...pageValues],
  readSessions: ["spaceId", "sessionId", ...pageValues],
  configureWebhook: ["url", "secret", "environment"],
};

export const listValues: ReadonlySet<string> = new Set([
  "attendeeUserIds",
  "cohortIds",
  "hostUserIds",
  "participantUserIds",
]);
