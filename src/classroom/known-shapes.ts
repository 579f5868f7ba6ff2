import type { RouteDialect } from "./dialect.ts";

/**
 * How users, Spaces and logins may be asked for. The interface document shows no body (part 4), so these are, in the order in
 * which they are tried: the words the document uses for the things themselves, then what three public programs send that call
 * a service with these very operations (read 2026-11-22). A service takes one of them or refuses the body; none makes anything
 * when it is refused.
 */

/** A route that sends a body as JSON. */
export const post = (
  path: string,
  body: Record<string, unknown>,
  more: Partial<RouteDialect> = {},
): RouteDialect => ({ method: "POST", path, query: {}, body, encoding: "json", words: {}, ...more });

/** A route that reads by its address alone. */
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

/** The words of the public programs. */
export const clientsWords = {
  role: { host: "Teacher", participant: "Student" },
  access: { Public: "public", Private: "private" },
};

/** Users, as public programs write them. */
export const clientsUserRoutes = userPaths.map((path) =>
  post(path, clientsUser, { words: { role: clientsWords.role } }),
);
/** Spaces, as public programs write them: with the lists, or with an owner and lists of other names. */
export const clientsSpaceRoutes = [
  { title: "{name}", visibility: "{access}", ...hostsAndParticipants, settings },
  {
    title: "{name}",
    visibility: "{access}",
    ownerId: { userId: "{ownerUserId}" },
    hostIds: [{ userId: "{hostUserIds:each}" }],
    participantIds: [{ userId: "{participantUserIds:each}" }],
    // These programs do not write it; without it a waiting room that was chosen would be lost without a word.
    settings,
  },
].map((body) => post("/spaces/create", body, { words: { access: clientsWords.access } }));

/** All known shapes of a new user: the document's two paths for each. */
export const userRoutes = [...userPaths.map((path) => post(path, ourUser)), ...clientsUserRoutes];

/**
 * All known shapes of a new Space. The first says everything in all words, for a service that overlooks what it does not know;
 * the last is for one that knows no lists.
 */
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
 * All known ways to ask for a login. Whether POST takes redirectUrl from the query or from the body is not shown, so it is in
 * both. The document wants the text itself URL-encoded; in the query the transport's encoding is that encoding. A service that
 * takes JSON as it is may want the plain text in the body. The document does not say where /user/authorize takes the user from.
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
