import type { Turned } from "../assumptions.ts";
import type { StandInSpace, StandInUser } from "./world.ts";

/**
 * A host is a user made as one (document 1, item 1; 2; 4) who, where the Space was told its hosts, is among them (assumption
 * `roleIsOfUser`). A guest is no user and a participant.
 */
export function roleInSpace(
  turned: Turned,
  { hostUserIds }: Pick<StandInSpace, "hostUserIds">,
  { userId, role }: Pick<StandInUser, "userId" | "role">,
): StandInUser["role"] {
  const isNamed = hostUserIds?.includes(userId);
  if (turned.has("roleIsOfUser") || turned.has("aUserForEachRole")) return isNamed ? "host" : "participant";
  return role === "host" && isNamed !== false ? "host" : "participant";
}
