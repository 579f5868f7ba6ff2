import type { Dialect, RouteDialect } from "./dialect.ts";
import { placeholdersIn } from "./fill-template.ts";

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

/** Roles in which a dialect can add a user to a Space; a shape without a place for the role does not count. */
export function rolesAdded({ operations }: Pick<Dialect, "operations">): (typeof roles)[number][] {
  const { routes } = operations.addToSpace;
  return roles.filter((role) => routes.length > 0 && routes.every((route) => rolesOf(route).includes(role)));
}

/** Mistakes in a route that adds a user: without their role a learner could become a host. */
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
