import type { Turned } from "../../src/sandbox/assumptions.ts";

/** What an operator writes into CLASSROOM_DIALECT where these assumptions do not hold. */
export function dialectOfTurned(turned: Turned, loginOrigin: string): object {
  const route = (path: string, body: object) => ({ method: "POST", path, body });
  const role = turned.has("userFields") ? { role: { host: "Teacher", participant: "Student" } } : {};
  const access = turned.has("spaceFields") ? { access: { Public: "public", Private: "private" } } : {};
  const user = { name: "{name}", email: "{email}", userRole: "{role}", externalId: "{reference}" };
  const space = {
    title: "{name}",
    visibility: "{access}",
    settings: { enableWaitingRoom: "{waitingRoom}" },
  };
  const event = {
    name: "{title}",
    space: "{spaceId}",
    start: "{startsAt:milliseconds}",
    end: "{endsAt:milliseconds}",
    participants: "{attendeeUserIds}",
  };
  return {
    ...(turned.has("limitCountsArrivals") ? { rateLimitCounts: "replies" } : {}),
    ...(turned.has("analyticsTwoSeconds") ? { analytics: { calls: 1, perSeconds: 5 } } : {}),
    ...(turned.has("keyIsBearer") ? { apiKey: { header: "X-Api-Key", scheme: "" } } : {}),
    ...(turned.has("aUserForEachRole") ? { usersHaveRoles: false } : {}),
    ...(turned.has("loginIsOnAppUrl") ? { loginOrigins: [loginOrigin] } : {}),
    words: { ...role, ...access },
    operations: {
      ...(turned.has("userFields")
        ? { createApiUser: { routes: [route("/users/createAPIUser", user)] } }
        : {}),
      ...(turned.has("spaceFields") ? { createSpace: { routes: [route("/spaces/create", space)] } } : {}),
      ...(turned.has("eventFields") ? { createEvent: { routes: [route("/events", event)] } } : {}),
    },
  };
}

/** The other name of this machine, under which logins come where `loginIsOnAppUrl` is turned round. */
export function otherOriginOf(appUrl: string): string {
  const other = new URL(appUrl);
  other.hostname = other.hostname === "localhost" ? "127.0.0.1" : "localhost";
  return other.origin;
}
