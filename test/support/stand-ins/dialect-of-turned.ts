import { defaultDialect } from "../../../src/classroom/default-dialect.ts";
import type { Turned } from "../../../sandbox/assumptions.ts";

/** Lists whose routes name the parameter of a page. */
const pagedLists = Object.fromEntries(
  (["readAttendance", "readRecordings", "readSessions"] as const).map((name) => [
    name,
    {
      routes: defaultDialect.operations[name].routes.map((route) => ({
        ...route,
        query: { ...route.query, pageNumber: "{page}" },
      })),
    },
  ]),
);

/** What an operator writes into CLASSROOM_DIALECT where these assumptions do not hold. */
export function dialectOfTurned(turned: Turned, loginOrigin: string): object {
  const route = (path: string, body: object) => ({ method: "POST", path, body });
  const event = {
    name: "{title}",
    space: "{spaceId}",
    start: "{startsAt:milliseconds}",
    end: "{endsAt:milliseconds}",
    participants: "{attendeeUserIds}",
  };
  const added = { userId: "{userId}", role: "{role}" };
  // What the operation is called is this sandbox's own, so the words are, too.
  const words = { role: { host: "host", participant: "participant" } };
  const adding = { ...route("/spaces/{spaceId}/users", added), words };
  return {
    ...(turned.has("limitCountsArrivals") ? { rateLimitCounts: "replies" } : {}),
    ...(turned.has("analyticsTwoSeconds") ? { analytics: { calls: 1, perSeconds: 5 } } : {}),
    ...(turned.has("keyIsBearer") ? { apiKey: { header: "X-Api-Key", scheme: "" } } : {}),
    ...(turned.has("aUserForEachRole") ? { usersHaveRoles: false } : {}),
    ...(turned.has("loginIsOnAppUrl") ? { loginOrigins: [loginOrigin] } : {}),
    ...(turned.has("spaceIsOnAppUrl") ? { knownSpaceOrigins: [loginOrigin] } : {}),
    email: {
      ...(turned.has("usersNeedNoEmail") ? { synthetic: "{reference}@learners.example.edu" } : {}),
      ...(turned.has("addressesAreFree") ? { ofRole: { host: "{local}+host@{domain}" } } : {}),
    },
    operations: {
      ...(turned.has("addedWhenMade") ? { addToSpace: { routes: [adding] } } : {}),
      ...(turned.has("listsAreWhole") ? pagedLists : {}),
      ...(turned.has("eventFields") ? { createEvent: { routes: [route("/events", event)] } } : {}),
    },
  };
}

/** The other name of this machine, under which logins come and Spaces are told where these assumptions are turned round. */
export function otherOriginOf(appUrl: string): string {
  const other = new URL(appUrl);
  other.hostname = other.hostname === "localhost" ? "127.0.0.1" : "localhost";
  return other.origin;
}
