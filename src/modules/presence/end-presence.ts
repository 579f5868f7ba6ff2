import type { PresenceKey, PresenceStore } from "./store/presence-store.ts";

/**
 * A session of a Space has ended: whoever was not told to have left is not in it any more. Its time is an upper bound, for the
 * webhook comes when the session has been worked up (interface 6.3). Repeating it changes nothing.
 * @param endedAt When it was told to have ended (ms).
 */
export async function endPresence(
  { presences }: { presences: Pick<PresenceStore, "endSession"> },
  { environment, spaceId, sessionId }: Pick<PresenceKey, "environment" | "spaceId" | "sessionId">,
  endedAt: number,
): Promise<void> {
  await presences.endSession({ environment, spaceId, sessionId }, endedAt);
}
