import type { RouteDialect } from "./dialect.ts";
import { placeholdersIn } from "./fill-template.ts";

/** A user of the classroom in a role. */
export type UserInRole = { userId: string; role: "host" | "participant" };

/** The users that a Space is made with. */
export type PeopleOfNewSpace = {
  ownerUserId?: string | null;
  hostUserIds?: readonly string[];
  participantUserIds?: readonly string[];
};

/** The users of a new Space for whom a shape has a place; each once, and who is a host as a host. */
export function toldUsers(route: RouteDialect, space: PeopleOfNewSpace): UserInRole[] {
  const named = new Set(placeholdersIn([route.query, route.body]).map(({ value }) => value));
  const { ownerUserId, hostUserIds = [], participantUserIds = [] } = space;
  const hosts = [
    ...(named.has("ownerUserId") ? [ownerUserId ?? []].flat() : []),
    ...(named.has("hostUserIds") ? hostUserIds : []),
  ];
  const participants = named.has("participantUserIds") ? participantUserIds : [];
  const roles = new Map<string, UserInRole["role"]>(participants.map((userId) => [userId, "participant"]));
  for (const userId of hosts) roles.set(userId, "host");
  return [...roles].map(([userId, role]) => ({ userId, role }));
}
