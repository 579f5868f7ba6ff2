/**
 * How the classroom's API is spoken. The interface document leaves most shapes "not shown" and gives two methods
 * and several paths for some calls; every such choice stands in this one file and nowhere else. A JSON file named
 * by CLASSROOM_DIALECT overrides any part of it (see parse-dialect.ts).
 */
export type Dialect = {
  apiKey: {
    /** Name of the request header that carries the key (part 5: not shown). */
    header: string;
    /** Word before the key; an empty text sends the key alone. */
    scheme: string;
  };
  /** Origins besides the environment's app URL that authorize's `url` may lead to. */
  loginOrigins: string[];
  operations: Record<OperationName, OperationDialect>;
};

/** One operation: where it lives, what is sent, where in the reply each field may be. */
type OperationDialect = {
  /** Tried in order while the service answers 404 or 405; the one that worked is remembered. */
  routes: RouteDialect[];
  /**
   * For each field the places where it may be, tried in order: names joined by dots; "" is the reply itself.
   * For a list, "items" says where the list is and the other fields are looked up in each of its entries.
   */
  reply: Record<string, string[]>;
};

/**
 * A documented address. Placeholders: "{name}" is the value; "{name:encoded}" is the value URL-encoded, for a JSON
 * body that must carry an encoded text. In path and query the transport's own encoding is applied, once. A text
 * that is only a placeholder keeps the value's type, and is left out when there is no value.
 */
export type RouteDialect = {
  method: "GET" | "POST" | "PUT" | "PATCH";
  path: string;
  query: Record<string, string>;
  /** JSON body; null sends none. */
  body: Record<string, unknown> | null;
};

/** The operations this tool uses (document part 4). */
export const operationNames = [
  "createApiUser",
  "createSpace",
  "authorize",
  "createEvent",
  "readEvent",
  "readAttendance",
  "readCohort",
  "readAlert",
  "readRecordings",
] as const;

/** Name of an operation. */
export type OperationName = (typeof operationNames)[number];

/** The places of a field with these names: plain, or inside the wrappers that replies often have around them. */
function within(wrappers: readonly string[], names: readonly string[]): string[] {
  const outer = ["", "data.", "result."];
  const inner = ["", ...wrappers.map((wrapper) => `${wrapper}.`)];
  return inner.flatMap((near) => outer.flatMap((far) => names.map((name) => `${far}${near}${name}`)));
}

const post = (path: string, body: Record<string, unknown>): RouteDialect => ({
  method: "POST",
  path,
  query: {},
  body,
});
const get = (path: string, query: Record<string, string> = {}): RouteDialect => ({
  method: "GET",
  path,
  query,
  body: null,
});

const newUser = {
  name: "{name}",
  firstName: "{givenName}",
  lastName: "{familyName}",
  email: "{email}",
  role: "{role}",
  externalId: "{reference}",
};
const eventParts = ["event", "scheduledEvent"];

/** What is spoken unless a file says otherwise. */
export const defaultDialect: Dialect = {
  apiKey: { header: "Authorization", scheme: "Bearer" },
  loginOrigins: [],
  operations: {
    createApiUser: {
      // The document's table and "another description".
      routes: [post("/users/createAPIUser", newUser), post("/user/createAPIUser", newUser)],
      reply: { userId: within(["user", "apiUser"], ["userId", "id", "_id"]) },
    },
    createSpace: {
      routes: [
        post("/spaces/create", {
          name: "{name}",
          title: "{name}",
          access: "{access}",
          enableWaitingRoom: "{waitingRoom}",
        }),
      ],
      reply: {
        spaceId: within(["space"], ["spaceId", "id", "_id"]),
        url: within(["space"], ["url", "spaceUrl", "link"]),
      },
    },
    authorize: {
      routes: [
        // Whether POST takes redirectUrl from the query or from the body is not shown, so it is in both. The
        // document wants the text itself URL-encoded; in the query the transport's encoding is that encoding.
        {
          method: "POST",
          path: "/users/{userId}/authorize",
          query: { redirectUrl: "{redirectUrl}" },
          body: { redirectUrl: "{redirectUrl:encoded}" },
        },
        get("/users/{userId}/authorize", { redirectUrl: "{redirectUrl}" }),
        // The document does not say where this path takes the user from.
        {
          method: "POST",
          path: "/user/authorize",
          query: { userId: "{userId}", redirectUrl: "{redirectUrl}" },
          body: { userId: "{userId}", redirectUrl: "{redirectUrl:encoded}" },
        },
        get("/user/authorize", { userId: "{userId}", redirectUrl: "{redirectUrl}" }),
      ],
      reply: { url: within([], ["url"]) },
    },
    createEvent: {
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
      reply: { eventId: within(eventParts, ["eventId", "id", "_id"]) },
    },
    readEvent: {
      routes: [get("/events/{eventId}")],
      reply: {
        eventId: within(eventParts, ["eventId", "id", "_id"]),
        spaceId: within(eventParts, ["spaceId", "space.spaceId", "space.id", "space._id"]),
        title: within(eventParts, ["title", "name", "summary"]),
        startsAt: within(eventParts, [
          "startsAt",
          "startTime",
          "startDateTime",
          "startAt",
          "startDate",
          "start",
        ]),
        endsAt: within(eventParts, ["endsAt", "endTime", "endDateTime", "endAt", "endDate", "end"]),
        cancelled: within(eventParts, ["cancelled", "canceled", "isCancelled", "isCanceled"]),
        status: within(eventParts, ["status", "state", "eventStatus"]),
      },
    },
    readAttendance: {
      routes: [get("/attendance/{eventId}")],
      reply: {
        items: [
          ...within([], ["attendance", "attendances", "records", "participants", "items", "data"]),
          "data",
          "",
        ],
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
      routes: [get("/programs/{programId}/cohorts/{cohortId}")],
      reply: {
        cohortId: within(["cohort"], ["cohortId", "id", "_id"]),
        name: within(["cohort"], ["name", "title"]),
        organizers: within(["cohort"], ["organizers", "organizerIds", "hosts"]),
        attendees: within(["cohort"], ["attendees", "attendeeIds", "participants", "members"]),
        personId: ["userId", "id", "_id", "user.userId", "user.id"],
      },
    },
    readAlert: {
      routes: [get("/alerts/{alertId}")],
      reply: {
        alertId: within(["alert"], ["alertId", "id", "_id"]),
        alertType: within(["alert"], ["alertType", "type"]),
        status: within(["alert"], ["status"]),
        priority: within(["alert"], ["priority"]),
        assigneeId: within(["alert"], ["assigneeId", "assignee.userId", "assignee.id", "assignee"]),
        eventId: within(["alert"], ["eventId", "event.eventId", "event.id"]),
      },
    },
    readRecordings: {
      // The document names the path only.
      routes: [
        get("/spaces/recordings", { spaceId: "{spaceId}" }),
        { method: "POST", path: "/spaces/recordings", query: {}, body: { spaceId: "{spaceId}" } },
      ],
      reply: {
        items: [...within([], ["recordings", "items", "data"]), "data", ""],
        recordingId: ["recordingId", "id", "_id"],
        spaceId: ["spaceId", "space.spaceId", "space.id"],
        url: ["url", "recordingUrl", "link", "downloadUrl"],
        publishedAt: ["publishedAt", "createdAt", "availableAt", "timestamp"],
      },
    },
  },
};
