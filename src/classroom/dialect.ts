import type { AttributionNames } from "../modules/feedback/rules/feedback.ts";
import { pageValues, type PagingSettings, type RecordingSettings } from "./dialect-replies.ts";

/**
 * The document leaves most shapes "not shown" and gives two methods and several paths for some calls; every such choice
 * is in default-dialect.ts only. A JSON file named by CLASSROOM_DIALECT overrides any part (see parse-dialect.ts).
 */
export type Dialect = {
  /** How the key is sent, and what every call carries (parts 5 and 9: not shown). */
  apiKey: {
    header: string;
    /** Word before the key; empty sends the key alone. */
    scheme: string;
    /** Carries the key instead of the header. */
    query: string | null;
  };
  /** Headers of every call, such as a version of the API. */
  headers: Record<string, string>;
  /** What statuses other than 429 mean (part 7: not shown). */
  statuses: {
    /** The address or method is wrong; the next documented one is tried. */
    elsewhere: number[];
    /** Body not understood, nothing made: the next shape is tried. Once one has worked, the call itself is at fault. */
    refusedBody: number[];
    /** The user is on the Space's list already. */
    already: number[];
    /** What was to be read does not exist, or no longer. */
    gone: number[];
    keyRefused: number[];
  };
  /** Envelopes of a whole reply: each path is tried in the reply and inside these. */
  envelopes: string[];
  /**
   * For users whose LMS withholds their e-mail address, where the service requires one: "{reference}" is our id of the
   * person, "{role}" their role; null leaves the field out. `ofRole` changes a known address, for a service that takes each once:
   * "{local}+host@{domain}"; null leaves it. Such a service sends these users no mail (part 1, item 5).
   */
  email: { synthetic: string | null; ofRole: { host: string | null; participant: string | null } };
  /** Longest names and titles, in UTF-16 units (document part 4: not shown); longer ones are cut. */
  lengths: { name: number; title: number };
  /** Our words as the service writes them: `words.role.host` is sent for the role "host". */
  words: Record<string, Record<string, string>>;
  /**
   * Requests on arrival, or replies when made: "Fewer than 5 queries per second" (part 8) does not say. With replies of
   * uneven length fewer calls can be made.
   */
  rateLimitCounts: "arrivals" | "replies";
  /** "Analytics queries: slower and subject to stricter limits; the exact values: not shown" (part 8). Calls are spread evenly. */
  analytics: { calls: number; perSeconds: number };
  /** Origins besides the app URL to which authorize's `url` may lead. */
  loginOrigins: string[];
  /**
   * Further origins that createSpace's `url` may name. Browsers are never sent there: the Space URL is made of the app URL (part
   * 4). A Space elsewhere is kept unused until its origin is here.
   */
  knownSpaceOrigins: string[];
  /**
   * Whether a user has the role it was made with: "created per host and per participant" (parts 1 and 2). If not, a
   * person has one user for both, and the service decides what they may do.
   */
  usersHaveRoles: boolean;
  /** Where a login may lead before the Space (part 4: not shown). "loginOrigins": no further; our forms are held to it. */
  afterLogin: "anywhere" | "loginOrigins";
  /** Names under which the end-of-session redirect may carry its attribution (part 1, item 9: not shown), in order. */
  feedbackRedirect: AttributionNames;
  recordings: RecordingSettings;
  /** Paging (part 8: not shown). */
  pages: PagingSettings;
  operations: Record<OperationName, OperationDialect>;
};

export type OperationDialect = {
  /** "analytics" operations need a permit of a slower budget first. */
  budget: "general" | "analytics";
  /**
   * Tried in order while the answer is in `statuses.elsewhere` or `statuses.refusedBody`; the one that worked is
   * remembered. Several may share an address with different bodies.
   */
  routes: RouteDialect[];
  /**
   * For each field its possible paths, in order: names joined by dots; "" is the reply itself; "@location" the last
   * part of a 201's Location header. Names are compared exactly first, then without case, "_" and "-"; a list with one
   * entry is looked through. For a list, "items" is its path, the other fields are of its entries.
   */
  reply: Record<string, string[]>;
  /** Values with a meaning for us, in any case: `values.cancelled` of an event's status. */
  values: Record<string, string[]>;
};

/**
 * A documented address. Placeholders: "{name}" is the value; "{name:encoded}" the URL-encoded value, for a body with an
 * encoded text; "{name:seconds}" and "{name:milliseconds}" a time as a number, "{name:lowercase}" a word in small
 * letters. Path and query get the transport's encoding, once. A text that is only a placeholder keeps the value's type,
 * and is left out without a value. A list whose one entry has "{names:each}" is written for each of a list of values:
 * `[{ "userId": "{attendeeUserIds:each}" }]`.
 */
export type RouteDialect = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  query: Record<string, string>;
  /** null sends none. */
  body: Record<string, unknown> | null;
  encoding: "json" | "form";
  /** They go before those of the dialect. */
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

/** Not in the document, or (the webhook address) possible by hand: without an address they are not called. */
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
  // Not the role: it is that of the course the person entered first.
  updateApiUser: ["userId", "reference", "name", "givenName", "familyName", "email"],
  createSpace: ["name", "access", "waitingRoom", "ownerUserId", "hostUserIds", "participantUserIds"],
  // One person, or lists with that person in the one of their role.
  addToSpace: ["spaceId", "userId", "role", "hostUserIds", "participantUserIds"],
  authorize: ["userId", "redirectUrl"],
  // The default body has no place for cohorts: whether POST /events takes any is not shown.
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
