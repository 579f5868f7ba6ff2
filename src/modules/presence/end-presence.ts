import type { PresenceKey, PresenceStore } from "./store/presence-store.ts";

/**
 * Of everybody in a session. The time is an upper bound: the webhook comes after the session was processed (interface
 * 6.3). Repeatable. @param endedAt As reported (ms).
 */
export async function endPresence(
  { presences }: { presences: Pick<PresenceStore, "endSession"> },
  { environment, spaceId, sessionId }: Pick<PresenceKey, "environment" | "spaceId" | "sessionId">,
  endedAt: number,
): Promise<void> {
  await presences.endSession({ environment, spaceId, sessionId }, endedAt);
}
