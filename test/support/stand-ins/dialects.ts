import type { Spelling } from "../../../sandbox/stand-in-classroom/spellings.ts";
import { defaultDialect } from "../../../src/classroom/default-dialect.ts";
import type { AssumptionName, Turned } from "../../../sandbox/assumptions.ts";

/** What CLASSROOM_DIALECT must contain for a spelling of the stand-in classroom; nothing for those that are discovered without help. */
export function dialectOf(spelling: Spelling): object {
  return spelling === "d" ? dialectOfD : {};
}

const dialectOfD = {
  apiKey: { header: "X-Api-Key", scheme: "" },
  envelopes: ["payload"],
  operations: {
    createApiUser: {
      routes: [
        {
          method: "POST",
          path: "/user/createAPIUser",
          encoding: "form",
          body: { name: "{name}", email: "{email}", role: "{role}", externalId: "{reference}" },
        },
      ],
      reply: { userId: ["person_ref"] },
    },
    createSpace: {
      routes: [
        {
          method: "POST",
          path: "/spaces/create",
          encoding: "form",
          body: { name: "{name}", access: "{access}", enableWaitingRoom: "{waitingRoom}" },
        },
      ],
    },
  },
};

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

/** What an operator writes into CLASSROOM_DIALECT if these assumptions do not hold. */
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
  // The names of the operation are this sandbox's own, so the words are, too.
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

/** This machine's other name, under which logins come and Spaces are reported if these assumptions are reversed. */
export function otherOriginOf(appUrl: string): string {
  const other = new URL(appUrl);
  other.hostname = other.hostname === "localhost" ? "127.0.0.1" : "localhost";
  return other.origin;
}

/** Whether the classroom of all stories of this run is called as public programs call it. */
export const asClients = process.env.CLASSROOM_SPELLING === "clients";

/** Their service accepts nobody without an e-mail address, which an LMS may withhold, and pages its lists. */
const wantedByClients: readonly AssumptionName[] = ["usersNeedNoEmail", "listsAreWhole"];

/** The contents of a dialect file for a classroom that is called as public programs call it, and about which nothing else is known. */
export function dialectOfClients(appUrl: string, known: readonly AssumptionName[] = []): object {
  const spoken = new Set<AssumptionName>([...known, ...wantedByClients]);
  return dialectOfTurned(spoken, otherOriginOf(appUrl));
}
