import { cohortFields, cohortList, cohortPeople } from "./dialect-cohorts.ts";
import { eventFields, eventParts } from "./dialect-events.ts";
import { pageManners } from "./dialect-pages.ts";
import { recordingList, recordingSettings } from "./dialect-recordings.ts";
import { sessionList } from "./dialect-sessions.ts";
import type { Dialect } from "./dialect.ts";
import { authorizeRoutes, get, post, spaceRoutes, userRoutes } from "./known-shapes.ts";
import { within } from "./places-within.ts";

const general = { budget: "general", values: {} } as const;

const role = { host: "host", participant: "participant" };
/** Where an entry of a list may have its user. */
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
  pages: pageManners,
  operations: {
    createApiUser: {
      ...general,
      routes: userRoutes,
      reply: { userId: [...within(["user", "apiUser"], ["userId", "id", "_id"]), "@location"] },
    },
    // The document shows no way to change an API user; without an address nobody is renamed.
    updateApiUser: { ...general, routes: [], reply: {} },
    createSpace: {
      ...general,
      routes: spaceRoutes,
      reply: {
        spaceId: [...within(["space"], ["spaceId", "id", "_id"]), "@location"],
        url: within(["space"], ["url", "spaceUrl", "link"]),
      },
    },
    // No known way to add a user to a Space; without an address a Space has the users it was made with.
    addToSpace: { ...general, routes: [], reply: {} },
    authorize: {
      ...general,
      routes: authorizeRoutes,
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
    // The document shows no way to change, cancel or find an event; without an address instructors do it in the classroom.
    updateEvent: { ...general, routes: [], reply: {} },
    cancelEvent: { ...general, routes: [], reply: {} },
    findEvents: {
      ...general,
      routes: [],
      reply: {
        items: ["events", "scheduledEvents", "items", "results", "data", ""],
        ...eventFields,
      },
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
    // The document shows no list of cohorts; without an address they are known from webhooks only.
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
      // The document names the path only.
      routes: [
        get("/spaces/recordings", { spaceId: "{spaceId}" }),
        post("/spaces/recordings", { spaceId: "{spaceId}" }),
      ],
      ...recordingList,
    },
    readSessions: {
      budget: "analytics",
      // The document names only the path and that there are metrics on engagement, network and devices.
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
