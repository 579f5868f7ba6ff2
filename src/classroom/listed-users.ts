import type { RouteDialect } from "./dialect.ts";
import { placeholdersIn } from "./fill-template.ts";

export type UserInRole = { userId: string; role: "host" | "participant" };

export type PeopleOfNewSpace = {
  ownerUserId?: string | null;
  hostUserIds?: readonly string[];
  participantUserIds?: readonly string[];
};

/** A new Space's users for whom a shape has a place; each once, hosts as hosts. */
export function listedUsers(route: RouteDialect, space: PeopleOfNewSpace): UserInRole[] {
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
