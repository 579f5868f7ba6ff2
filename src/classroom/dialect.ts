import type { AttributionNames } from "../modules/feedback/rules/feedback.ts";
import { type PagingSettings, pageValues } from "./dialect-pages.ts";
import type { RecordingSettings } from "./dialect-recordings.ts";

/**
 * How the classroom's API is spoken. The interface document leaves most shapes "not shown" and gives two methods
 * and several paths for some calls; every such choice stands in default-dialect.ts and nowhere else. A JSON file
 * named by CLASSROOM_DIALECT overrides any part of it (see parse-dialect.ts).
 */
export type Dialect = {
  /** How the key is sent and what else every call carries (parts 5 and 9: not shown). */
  apiKey: {
    /** Name of the request header that carries the key. */
    header: string;
    /** Word before the key; an empty text sends the key alone. */
    scheme: string;
    /** Name of a query parameter that carries the key instead of the header; null: the header does. */
    query: string | null;
  };
  /** Headers of every call, such as a version of the API. */
  headers: Record<string, string>;
  /** What statuses other than 429 mean (part 7: not shown). */
  statuses: {
    /** This address or method is not the right one; the next documented one is tried. */
    elsewhere: number[];
    /**
     * What was sent is not understood: the next known shape is tried while none has worked yet, and nothing was made.
     * Afterwards it is about the call itself.
     */
    refusedBody: number[];
    /** Whom was to be added to a Space is on its list already. */
    already: number[];
    /** What was to be read does not exist (any more). */
    gone: number[];
    keyRefused: number[];
  };
  /** Names that may stand around a whole reply: each place is looked for in the reply and inside these. */
  envelopes: string[];
  /**
   * The e-mail address that stands in for one that the LMS withholds, for a service that makes no user without: "{reference}" is
   * our id of the person, "{role}" our word for what they are made as. Null: the field is left out.
   * `ofRole` changes an address that is known, for a service that takes each address once: "{local}+host@{domain}" is what stands
   * before and behind its @. Null: as it is. Such a service writes no mail to these users (part 1, item 5).
   */
  email: { synthetic: string | null; ofRole: { host: string | null; participant: string | null } };
  /** How our words are written to the service: `words.role.host` is sent for the role "host". */
  words: Record<string, Record<string, string>>;
  /**
   * What the limit of calls counts: requests as they arrive, or replies as the service makes them. "Fewer than 5 queries per
   * second" (part 8) does not say. Where replies count and take unevenly long, fewer calls can be made.
   */
  rateLimitCounts: "arrivals" | "replies";
  /** "Analytics queries: slower and subject to stricter limits; the exact values: not shown" (part 8). Calls are spread evenly. */
  analytics: { calls: number; perSeconds: number };
  /** Origins besides the environment's app URL that authorize's `url` may lead to. */
  loginOrigins: string[];
  /**
   * Origins besides those of the app URL and of logins that createSpace's `url` may name. Nobody is sent there: the Space URL is
   * made of the app URL (part 4). A Space that is said to be anywhere else is kept, and not used until its origin is here.
   */
  knownSpaceOrigins: string[];
  /**
   * Whether a user has the role it was made with: "created per host and per participant" (parts 1 and 2). If not, a person's one
   * user serves both roles, and what they may do is for the service to know.
   */
  usersHaveRoles: boolean;
  /** Where a login may lead on to before the Space (part 4: not shown). "loginOrigins": no further; our forms are held to it. */
  afterLogin: "anywhere" | "loginOrigins";
  /**
   * Names under which the end-of-session redirect may carry its attribution (part 1, item 9: not shown), tried in
   * order.
   */
  feedbackRedirect: AttributionNames;
  recordings: RecordingSettings;
  /** How lists come in pages (part 8: not shown). */
  pages: PagingSettings;
  operations: Record<OperationName, OperationDialect>;
};

/** One operation: where it lives, what is sent, where in the reply each field may be. */
export type OperationDialect = {
  /** "analytics" operations wait for a slower budget first, then for the general one. */
  budget: "general" | "analytics";
  /**
   * Tried in order while the service answers with one of `statuses.elsewhere` or `statuses.refusedBody`; the one that
   * worked is remembered. Several may have the same address and differ in what is sent.
   */
  routes: RouteDialect[];
  /**
   * For each field the places where it may be, tried in order: names joined by dots; "" is the reply itself;
   * "@location" is the last part of the Location header of a 201. Names are compared exactly first, then without
   * regard to case, "_" and "-"; a list with one entry is looked through. For a list, "items" says where the list
   * is and the other fields are looked up in each of its entries.
   */
  reply: Record<string, string[]>;
  /** Values that mean something to us, compared without regard to case: `values.cancelled` of an event's status. */
  values: Record<string, string[]>;
};

/**
 * A documented address. Placeholders: "{name}" is the value; "{name:encoded}" is the value URL-encoded, for a body
 * that must carry an encoded text; "{name:seconds}" and "{name:milliseconds}" write a time as a number, "{name:lowercase}" a
 * word in small letters. In path and query the transport's own encoding is applied, once. A text that is only a placeholder keeps the value's
 * type, and is left out when there is no value. A list whose one entry has "{names:each}" in it is written for each
 * of a list of values: `[{ "userId": "{attendeeUserIds:each}" }]`.
 */
export type RouteDialect = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  query: Record<string, string>;
  /** null sends none. */
  body: Record<string, unknown> | null;
  /** How the body is written: JSON, or as a web form does. */
  encoding: "json" | "form";
  /** Words of this shape alone, before those of the dialect. */
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

/** Name of an operation. */
export type OperationName = (typeof operationNames)[number];

/**
 * Operations that the document does not show, and setting the webhook address, which can be done by hand: they may be left
 * without an address, and are not called then.
 */
export const optionalOperations: ReadonlySet<OperationName> = new Set([
  "updateApiUser",
  "addToSpace",
  "updateEvent",
  "cancelEvent",
  "findEvents",
  "findCohorts",
  "configureWebhook",
]);

/** What a route of each operation may put into its placeholders. */
export const operationValues: Readonly<Record<OperationName, readonly string[]>> = {
  createApiUser: ["reference", "name", "givenName", "familyName", "email", "role"],
  // Not the role: it is that of the course somebody entered first.
  updateApiUser: ["userId", "reference", "name", "givenName", "familyName", "email"],
  createSpace: ["name", "access", "waitingRoom", "ownerUserId", "hostUserIds", "participantUserIds"],
  // Who is to be added: one person, or the lists of those who are added, with that one person in the one of their role.
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
  readSessions: ["spaceId", "sessionId", "from", "to", ...pageValues],
  configureWebhook: ["url", "secret", "environment"],
};

/** Those of them that are lists. */
export const listValues: ReadonlySet<string> = new Set([
  "attendeeUserIds",
  "cohortIds",
  "hostUserIds",
  "participantUserIds",
]);
