import type { RouteDialect } from "./dialect.ts";

/**
 * How users, Spaces and logins may be asked for. The document shows no body (part 4), so in this order: the
 * document's own words, then what three public programs send to a service with these operations (read 2026-11-22). A
 * service takes one of them or refuses the body, making nothing.
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
const ourSpace = {
  name: "{name}",
  title: "{name}",
  access: "{access}",
  enableWaitingRoom: "{waitingRoom}",
};
const userPaths = ["/users/createAPIUser", "/user/createAPIUser"];

const clientsWords = {
  role: { host: "Teacher", participant: "Student" },
  access: { Public: "public", Private: "private" },
};

const clientsUserRoutes = userPaths.map((path) =>
  post(path, clientsUser, { words: { role: clientsWords.role } }),
);
/** With the lists, or with an owner and lists of other names. */
const clientsSpaceRoutes = [
  { title: "{name}", visibility: "{access}", ...hostsAndParticipants, settings },
  {
    title: "{name}",
    visibility: "{access}",
    ownerId: { userId: "{ownerUserId}" },
    hostIds: [{ userId: "{hostUserIds:each}" }],
    participantIds: [{ userId: "{participantUserIds:each}" }],
    // These programs do not send it; without it a chosen waiting room would be silently lost.
    settings,
  },
].map((body) => post("/spaces/create", body, { words: { access: clientsWords.access } }));

/** All known shapes of a new user: both of the document's paths for each. */
export const userRoutes = [...userPaths.map((path) => post(path, ourUser)), ...clientsUserRoutes];

/** The first has everything in all words, for a service that ignores the unknown; the last is for one without lists. */
export const spaceRoutes = [
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
 * Whether POST takes redirectUrl from query or body is not shown, so both have it. The document wants the text
 * URL-encoded; in the query the transport's encoding is that. A service that takes JSON literally may want plain text
 * in the body. Where /user/authorize takes the user from is not documented.
 */
export const authorizeRoutes = [
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
