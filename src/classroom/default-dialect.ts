import {
  cohortFields,
  cohortList,
  cohortPeople,
  eventFields,
  eventParts,
  defaultPaging,
  recordingList,
  recordingSettings,
  sessionList,
  within,
} from "./dialect-replies.ts";
import type { Dialect, RouteDialect } from "./dialect.ts";

/**
 * The ways to create users and Spaces and to get logins. The document shows no body (part 4), so we try in this order: the document's
 * own words, then what three public programs send to a service with these operations (read 2026-11-22). A service accepts one of them,
 * or refuses the body without creating anything.
 */

export const post = (
  path: string,
  body: Record<string, unknown>,
  more: Partial<RouteDialect> = {},
): RouteDialect => ({ method: "POST", path, query: {}, body, encoding: "json", words: {}, ...more });

export const get = (path: string, query: Record<string, string> = {}): RouteDialect => ({
  method: "GET",
  path,
  query,
  body: null,
  encoding: "json",
  words: {},
});

const ourUser = {
  name: "{name}",
  firstName: "{givenName}",
  lastName: "{familyName}",
  email: "{email}",
  role: "{role}",
  externalId: "{reference}",
};
const clientsUser = { name: "{name}", email: "{email}", userRole: "{role}", externalId: "{reference}" };
const hostsAndParticipants = {
  hosts: [{ userId: "{hostUserIds:each}" }],
  participants: [{ userId: "{participantUserIds:each}" }],
};
const settings = { enableWaitingRoom: "{waitingRoom}" };
const ourSpace = { name: "{name}", title: "{name}", access: "{access}", enableWaitingRoom: "{waitingRoom}" };
const userPaths = ["/users/createAPIUser", "/user/createAPIUser"];

const clientsWords = {
  role: { host: "Teacher", participant: "Student" },
  access: { Public: "public", Private: "private" },
};

const clientsUserRoutes = userPaths.map((path) =>
  post(path, clientsUser, { words: { role: clientsWords.role } }),
);
/** With the lists, or with an owner and lists under other names. */
const clientsSpaceRoutes = [
  { title: "{name}", visibility: "{access}", ...hostsAndParticipants, settings },
  {
    title: "{name}",
    visibility: "{access}",
    ownerId: { userId: "{ownerUserId}" },
    hostIds: [{ userId: "{hostUserIds:each}" }],
    participantIds: [{ userId: "{participantUserIds:each}" }],
    // These programs don't send it, but without it the chosen waiting room would silently be lost.
    settings,
  },
].map((body) => post("/spaces/create", body, { words: { access: clientsWords.access } }));

/** All known shapes of a new user, each for both of the document's paths. */
const userRoutes = [...userPaths.map((path) => post(path, ourUser)), ...clientsUserRoutes];

/** The first shape has everything under all names, for a service that ignores unknown names. The last one is for a service without lists. */
const spaceRoutes = [
  post("/spaces/create", {
    ...ourSpace,
    visibility: "{access:lowercase}",
    settings,
    ...hostsAndParticipants,
  }),
  ...clientsSpaceRoutes,
  post("/spaces/create", ourSpace),
];

/**
 * The document doesn't show whether POST takes redirectUrl from the query or the body, so both have it. It wants the text URL-encoded,
 * which the transport does in the query. A service that takes JSON literally may want plain text in the body. Where /user/authorize takes
 * the user from isn't documented.
 */
const authorizeRoutes = [
  ...loginByPost("/users/{userId}/authorize", {}),
  get("/users/{userId}/authorize", { redirectUrl: "{redirectUrl}" }),
  ...loginByPost("/user/authorize", { userId: "{userId}" }),
  get("/user/authorize", { userId: "{userId}", redirectUrl: "{redirectUrl}" }),
];

function loginByPost(path: string, who: Record<string, string>): RouteDialect[] {
  return [
    post(
      path,
      { ...who, redirectUrl: "{redirectUrl:encoded}" },
      { query: { ...who, redirectUrl: "{redirectUrl}" } },
    ),
    post(path, { ...who, redirectUrl: "{redirectUrl}" }),
  ];
}

const general = { budget: "general", values: {} } as const;

const role = { host: "host", participant: "participant" };
/** Where an entry of a list may name its user. */
const userPlaces = ["userId", "user.userId", "user.id", "user._id", "participantId", "attendeeId"];

export const defaultDialect: Dialect = {
  apiKey: { header: "Authorization", scheme: "Bearer", query: null },
  headers: {},
  statuses: {
    elsewhere: [404, 405],
    refusedBody: [400, 422],
    already: [409],
    gone: [404, 410],
    keyRefused: [401, 403],
  },
  envelopes: ["data", "result"],
  email: { synthetic: null, ofRole: { host: null, participant: null } },
  lengths: { name: 255, title: 255 },
  words: { role, access: { Public: "Public", Private: "Private" } },
  rateLimitCounts: "arrivals",
  analytics: { calls: 1, perSeconds: 2 },
  loginOrigins: [],
  knownSpaceOrigins: [],
  usersHaveRoles: true,
  afterLogin: "anywhere",
  feedbackRedirect: {
    spaceId: ["spaceId", "space_id", "spaceID", "spaceid", "space"],
    userId: ["userId", "user_id", "userID", "userid", "user", "participantId", "participant_id"],
    eventId: ["eventId", "event_id", "eventID", "eventid", "event", "scheduledEventId", "scheduled_event_id"],
    sessionId: ["sessionId", "session_id", "sessionID", "sessionid", "session"],
  },
  recordings: recordingSettings,
  pages: defaultPaging,
  operations: {
    createApiUser: {
      ...general,
      routes: userRoutes,
      reply: { userId: [...within(["user", "apiUser"], ["userId", "id", "_id"]), "@location"] },
    },
    // The document shows no way to change an API user. Without an address, no user is renamed.
    updateApiUser: { ...general, routes: [], reply: {} },
    createSpace: {
      ...general,
      routes: spaceRoutes,
      reply: {
        spaceId: [...within(["space"], ["spaceId", "id", "_id"]), "@location"],
        url: within(["space"], ["url", "spaceUrl", "link"]),
      },
    },
    // We know no way to add a user to a Space. Without an address, a Space keeps the users it was made with.
    addToSpace: { ...general, routes: [], reply: {} },
    authorize: { ...general, routes: authorizeRoutes, reply: { url: ["url"] } },
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
    // The document shows no way to change, cancel or find an event. Without an address, instructors do it in the classroom.
    updateEvent: { ...general, routes: [], reply: {} },
    cancelEvent: { ...general, routes: [], reply: {} },
    findEvents: {
      ...general,
      routes: [],
      reply: { items: ["events", "scheduledEvents", "items", "results", "data", ""], ...eventFields },
    },
    readAttendance: {
      ...general,
      routes: [get("/attendance/{eventId}")],
      reply: {
        items: ["attendance", "attendances", "records", "participants", "items", "results", "data", ""],
        userId: [...userPlaces, "participant.userId"],
        status: ["status", "attendanceStatus", "currentStatus.status", "attendance.status"],
        notes: ["notes", "note", "currentStatus.notes", "attendance.notes"],
        updatedAt: ["updatedAt", "timestamp", "attendance.updatedAt", "lastUpdatedAt", "modifiedAt"],
      },
    },
    readCohort: {
      ...general,
      routes: [get("/programs/{programId}/cohorts/{cohortId}")],
      reply: {
        ...cohortFields,
        ...cohortPeople,
        personId: [...userPlaces, "id", "_id"],
        personName: ["name", "fullName", "displayName", "user.name", "user.fullName", "user.displayName"],
        personGivenName: ["firstName", "givenName", "user.firstName", "user.givenName"],
        personFamilyName: ["lastName", "familyName", "user.lastName", "user.familyName"],
      },
    },
    // The document shows no list of cohorts. Without an address, we only know cohorts from webhooks.
    findCohorts: { ...general, routes: [], reply: cohortList },
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
      // The document shows only the path.
      routes: [
        get("/spaces/recordings", { spaceId: "{spaceId}" }),
        post("/spaces/recordings", { spaceId: "{spaceId}" }),
      ],
      ...recordingList,
    },
    readSessions: {
      budget: "analytics",
      // The document shows only the path, and says that there are metrics on engagement, network and devices.
      routes: [
        get("/analytics/sessions", { spaceId: "{spaceId}", sessionId: "{sessionId}" }),
        post("/analytics/sessions", { spaceId: "{spaceId}", sessionId: "{sessionId}" }),
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
