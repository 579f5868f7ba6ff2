import type { Turned } from "../assumptions.ts";
import type { StandInSpace, StandInUser } from "./world.ts";

/**
 * What somebody is in a Space. Users are made per host and per participant (document 1, item 1; 2), and the flow of part 4
 * makes "every Space host and participant" before the Space: a host is who was made as one and, where the Space was told who
 * its hosts are, stands among them (assumption `roleIsOfUser`). A guest is no user and a participant.
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
