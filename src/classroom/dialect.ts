import type { AttributionNames } from "../domain/feedback.ts";
import { eventFields, eventParts } from "./dialect-events.ts";
import { type RecordingManners, recordingList, recordingManners } from "./dialect-recordings.ts";
import { sessionList } from "./dialect-sessions.ts";
import { within } from "./places-within.ts";

/**
 * How the classroom's API is spoken. The interface document leaves most shapes "not shown" and gives two methods
 * and several paths for some calls; every such choice stands in this one file and nowhere else. A JSON file named
 * by CLASSROOM_DIALECT overrides any part of it (see parse-dialect.ts).
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
    /** What was to be read does not exist (any more). */
    gone: number[];
    keyRefused: number[];
  };
  /** Names that may stand around a whole reply: each place is looked for in the reply and inside these. */
  envelopes: string[];
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
  /** Where a login may lead on to before the Space (part 4: not shown). "loginOrigins": no further; our forms are held to it. */
  afterLogin: "anywhere" | "loginOrigins";
  /**
   * Names under which the end-of-session redirect may carry its attribution (part 1, item 9: not shown), tried in
   * order.
   */
  feedbackRedirect: AttributionNames;
  recordings: RecordingManners;
  operations: Record<OperationName, OperationDialect>;
};

/** One operation: where it lives, what is sent, where in the reply each field may be. */
export type OperationDialect = {
  /** "analytics" operations wait for a slower budget first, then for the general one. */
  budget: "general" | "analytics";
  /** Tried in order while the service answers with one of `statuses.elsewhere`; the one that worked is remembered. */
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
 * that must carry an encoded text; "{name:seconds}" and "{name:milliseconds}" write a time as a number. In path
 * and query the transport's own encoding is applied, once. A text that is only a placeholder keeps the value's
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
};

/** The operations this tool uses (document part 4). */
export const operationNames = [
  "createApiUser",
  "updateApiUser",
  "createSpace",
  "authorize",
  "createEvent",
  "readEvent",
  "updateEvent",
  "cancelEvent",
  "findEvents",
  "readAttendance",
  "readCohort",
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
  "updateEvent",
  "cancelEvent",
  "findEvents",
  "configureWebhook",
]);

/** What a route of each operation may put into its placeholders. */
export const operationValues: Readonly<Record<OperationName, readonly string[]>> = {
  createApiUser: ["reference", "name", "givenName", "familyName", "email", "role"],
  // Not the role: it is that of the course somebody entered first.
  updateApiUser: ["userId", "reference", "name", "givenName", "familyName", "email"],
  createSpace: ["name", "access", "waitingRoom"],
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
  findEvents: ["spaceId", "from", "to"],
  readAttendance: ["eventId"],
  readCohort: ["programId", "cohortId"],
  readAlert: ["alertId"],
  readRecordings: ["spaceId"],
  readSessions: ["spaceId", "sessionId", "from", "to"],
  configureWebhook: ["url", "secret", "environment"],
};

/** Those of them that are lists. */
export const listValues: ReadonlySet<string> = new Set(["attendeeUserIds", "cohortIds"]);

const post = (path: string, body: Record<string, unknown>): RouteDialect => ({
  method: "POST",
  path,
  query: {},
  body,
  encoding: "json",
});
const get = (path: string, query: Record<string, string> = {}): RouteDialect => ({
  method: "GET",
  path,
  query,
  body: null,
  encoding: "json",
});
const general = { budget: "general", values: {} } as const;

const newUser = {
  name: "{name}",
  firstName: "{givenName}",
  lastName: "{familyName}",
  email: "{email}",
  role: "{role}",
  externalId: "{reference}",
};
const role = { host: "host", participant: "participant" };
/** What is spoken unless a file says otherwise. */
export const defaultDialect: Dialect = {
  apiKey: { header: "Authorization", scheme: "Bearer", query: null },
  headers: {},
  statuses: { elsewhere: [404, 405], gone: [404, 410], keyRefused: [401, 403] },
  envelopes: ["data", "result"],
  words: { role, access: { Public: "Public", Private: "Private" } },
  rateLimitCounts: "arrivals",
  analytics: { calls: 1, perSeconds: 2 },
  loginOrigins: [],
  afterLogin: "anywhere",
  feedbackRedirect: {
    spaceId: ["spaceId", "space_id", "spaceID", "spaceid", "space"],
    userId: ["userId", "user_id", "userID", "userid", "user", "participantId", "participant_id"],
    eventId: ["eventId", "event_id", "eventID", "eventid", "event", "scheduledEventId", "scheduled_event_id"],
    sessionId: ["sessionId", "session_id", "sessionID", "sessionid", "session"],
  },
  recordings: recordingManners,
  operations: {
    createApiUser: {
      ...general,
      // The document's table and "another description".
      routes: [post("/users/createAPIUser", newUser), post("/user/createAPIUser", newUser)],
      reply: { userId: [...within(["user", "apiUser"], ["userId", "id", "_id"]), "@location"] },
    },
    // The document shows no way to change an API user: without an address here nobody is renamed.
    updateApiUser: { ...general, routes: [], reply: {} },
    createSpace: {
      ...general,
      routes: [
        post("/spaces/create", {
          name: "{name}",
          title: "{name}",
          access: "{access}",
          enableWaitingRoom: "{waitingRoom}",
        }),
      ],
      reply: {
        spaceId: [...within(["space"], ["spaceId", "id", "_id"]), "@location"],
        url: within(["space"], ["url", "spaceUrl", "link"]),
      },
    },
    authorize: {
      ...general,
      routes: [
        // Whether POST takes redirectUrl from the query or from the body is not shown, so it is in both. The
        // document wants the text itself URL-encoded; in the query the transport's encoding is that encoding.
        {
          method: "POST",
          path: "/users/{userId}/authorize",
          query: { redirectUrl: "{redirectUrl}" },
          body: { redirectUrl: "{redirectUrl:encoded}" },
          encoding: "json",
        },
        get("/users/{userId}/authorize", { redirectUrl: "{redirectUrl}" }),
        // The document does not say where this path takes the user from.
        {
          method: "POST",
          path: "/user/authorize",
          query: { userId: "{userId}", redirectUrl: "{redirectUrl}" },
          body: { userId: "{userId}", redirectUrl: "{redirectUrl:encoded}" },
          encoding: "json",
        },
        get("/user/authorize", { userId: "{userId}", redirectUrl: "{redirectUrl}" }),
      ],
      reply: { url: ["url"] },
    },
    createEvent: {
      ...general,
      routes: [
        post("/events", {
          title: "{title}",
          spaceId: "{spaceId}",
          startsAt: "{startsAt}",
          endsAt: "{endsAt}",
          hostId: "{hostUserId}",
          attendeeIds: "{attendeeUserIds}",
          isOnline: true,
        }),
      ],
      reply: { eventId: [...within(eventParts, ["eventId", "id", "_id"]), "@location"] },
    },
    readEvent: {
      ...general,
      routes: [get("/events/{eventId}")],
      reply: {
        ...eventFields,
        cancelled: within(eventParts, ["cancelled", "canceled", "isCancelled", "isCanceled"]),
        status: within(eventParts, ["status", "state", "eventStatus"]),
      },
      values: { cancelled: ["CANCELLED", "CANCELED"] },
    },
    // The document shows no way to change, cancel or look for an event: without an address here instructors are told to
    // do it in the classroom itself.
    updateEvent: { ...general, routes: [], reply: {} },
    cancelEvent: { ...general, routes: [], reply: {} },
    findEvents: {
      ...general,
      routes: [],
      reply: {
        items: ["events", "scheduledEvents", "items", "data", ""],
        ...eventFields,
      },
    },
    readAttendance: {
      ...general,
      routes: [get("/attendance/{eventId}")],
      reply: {
        items: ["attendance", "attendances", "records", "participants", "items", "data", ""],
        userId: [
          "userId",
          "user.userId",
          "user.id",
          "user._id",
          "participantId",
          "attendeeId",
          "participant.userId",
        ],
        status: ["status", "attendanceStatus", "currentStatus.status", "attendance.status"],
        notes: ["notes", "note", "currentStatus.notes", "attendance.notes"],
        updatedAt: ["updatedAt", "timestamp", "attendance.updatedAt", "lastUpdatedAt", "modifiedAt"],
      },
    },
    readCohort: {
      ...general,
      routes: [get("/programs/{programId}/cohorts/{cohortId}")],
      reply: {
        cohortId: within(["cohort"], ["cohortId", "id", "_id"]),
        name: within(["cohort"], ["name", "title"]),
        organizers: within(["cohort"], ["organizers", "organizerIds", "hosts"]),
        attendees: within(["cohort"], ["attendees", "attendeeIds", "participants", "members"]),
        personId: [
          "userId",
          "user.userId",
          "user.id",
          "user._id",
          "participantId",
          "attendeeId",
          "id",
          "_id",
        ],
        personName: ["name", "fullName", "displayName", "user.name", "user.fullName", "user.displayName"],
        personGivenName: ["firstName", "givenName", "user.firstName", "user.givenName"],
        personFamilyName: ["lastName", "familyName", "user.lastName", "user.familyName"],
      },
    },
    readAlert: {
      ...general,
      routes: [get("/alerts/{alertId}")],
      reply: {
        alertId: within(["alert"], ["alertId", "id", "_id"]),
        alertType: within(["alert"], ["alertType", "type"]),
        status: within(["alert"], ["status"]),
        priority: within(["alert"], ["priority"]),
        assigneeId: within(["alert"], ["assigneeId", "assignee.userId", "assignee.id", "assignee"]),
        eventId: within(["alert"], ["eventId", "event.eventId", "event.id", "scheduledEventId"]),
      },
      values: { closed: ["CLOSED", "RESOLVED", "DONE", "COMPLETED", "DISMISSED", "ARCHIVED", "CANCELLED"] },
    },
    readRecordings: {
      ...general,
      // The document names the path only.
      routes: [
        get("/spaces/recordings", { spaceId: "{spaceId}" }),
        post("/spaces/recordings", { spaceId: "{spaceId}" }),
      ],
      ...recordingList,
    },
    readSessions: {
      budget: "analytics",
      // The document names the path only, and that it tells metrics on engagement, network and devices.
      routes: [
        get("/analytics/sessions", {
          spaceId: "{spaceId}",
          sessionId: "{sessionId}",
          from: "{from}",
          to: "{to}",
        }),
        post("/analytics/sessions", {
          spaceId: "{spaceId}",
          sessionId: "{sessionId}",
          from: "{from}",
          to: "{to}",
        }),
      ],
      reply: sessionList,
      values: {},
    },
    configureWebhook: {
      ...general,
      routes: [post("/webhooks", { url: "{url}", secret: "{secret}" })],
      reply: { url: within(["webhook"], ["url", "webhookUrl", "endpoint"]) },
    },
  },
};
