import { cutTo } from "../kernel/text.ts";
import type { NewApiUser } from "./client.ts";
import type { Dialect, RouteDialect } from "./dialect.ts";
import { placeholdersIn } from "./fill-template.ts";

/** A user in the form in which the service takes it: with an address, and with names that fit. */
export function writtenUser<User extends NewApiUser>(user: User, dialect: Dialect): User {
  const cut = (text: string) => cutTo(text, dialect.lengths.name);
  const { name, givenName, familyName } = user;
  return {
    ...withAddress(user, dialect),
    name: cut(name),
    givenName: givenName === null ? null : cut(givenName),
    familyName: familyName === null ? null : cut(familyName),
  };
}

/** Adds the dialect's made-up address if the LMS withholds the user's, or changes the known address for the role. */
function withAddress<User extends { reference: string; email: string | null; role: "host" | "participant" }>(
  user: User,
  { email }: Pick<Dialect, "email">,
): User {
  const template = user.email === null ? email.synthetic : email.ofRole[user.role];
  if (template === null) return user;
  const at = user.email?.lastIndexOf("@") ?? -1;
  const written = template
    .replaceAll("{reference}", user.reference.replace(/[^\w.-]/g, "-"))
    .replaceAll("{role}", user.role)
    .replaceAll("{local}", () => user.email?.slice(0, Math.max(at, 0)) ?? "")
    .replaceAll("{domain}", () => user.email?.slice(at + 1) ?? "");
  return { ...user, email: written };
}

export type UserInRole = { userId: string; role: "host" | "participant" };

export type PeopleOfNewSpace = {
  ownerUserId?: string | null;
  hostUserIds?: readonly string[];
  participantUserIds?: readonly string[];
};

/** The users that a request for a new Space can name, depending on its shape. Each appears once; a host as a host. */
export function listedUsers(route: RouteDialect, space: PeopleOfNewSpace): UserInRole[] {
  const named = namesIn(route);
  const { ownerUserId, hostUserIds = [], participantUserIds = [] } = space;
  const hosts = [
    ...(named.has("ownerUserId") ? [ownerUserId ?? []].flat() : []),
    ...(named.has("hostUserIds") ? hostUserIds : []),
  ];
  const participants = named.has("participantUserIds") ? participantUserIds : [];
  const roleOf = new Map<string, UserInRole["role"]>(participants.map((userId) => [userId, "participant"]));
  for (const userId of hosts) roleOf.set(userId, "host");
  return [...roleOf].map(([userId, role]) => ({ userId, role }));
}

const lists = { host: "hostUserIds", participant: "participantUserIds" } as const;
const roles = ["host", "participant"] as const;

function rolesOf(route: RouteDialect): readonly (typeof roles)[number][] {
  const named = namesIn(route);
  if (named.has("userId") && named.has("role")) return roles;
  return roles.filter((role) => named.has(lists[role]));
}

function namesIn({ path, query, body }: RouteDialect): Set<string> {
  return new Set(placeholdersIn([path, query, body]).map(({ value }) => value));
}

/** Roles in which a dialect can add a user to a Space. All its shapes must have a place for the role. */
export function rolesAdded({ operations }: Pick<Dialect, "operations">): (typeof roles)[number][] {
  const { routes } = operations.addToSpace;
  return roles.filter((role) => routes.length > 0 && routes.every((route) => rolesOf(route).includes(role)));
}

/** Mistakes in a route that adds a user. Without the role, a learner could become a host. */
export function addingMistakes(route: RouteDialect): string[] {
  const where = namesIn(route).has("spaceId")
    ? []
    : ["{spaceId} is needed: to which Space somebody is added"];
  const who =
    rolesOf(route).length > 0
      ? []
      : ["who is added is said by {userId} and {role}, or by {hostUserIds} and {participantUserIds}"];
  return [...where, ...who];
}
