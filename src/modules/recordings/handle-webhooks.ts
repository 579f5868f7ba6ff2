import { unknownType } from "../../inbox/rules/webhook-family.ts";
import { type WebhookHandler, webhookHandler } from "../../inbox/webhook-handlers.ts";
import { endPresence } from "../presence/end-presence.ts";
import { wantLookAt } from "../presence/space-visits.ts";
import type { PresenceStore } from "../presence/store/presence-store.ts";
import { handleSessionEnded, type HandleSessionEndedDeps } from "./handle-session-ended.ts";
import { handleRecording, type HandleRecordingDeps } from "./handle-recording.ts";

/** SPACE_RECORDING and SPACE_SESSION (interface 6.4, 6.3). */
export function recordingWebhooks(
  deps: HandleRecordingDeps & HandleSessionEndedDeps & { presences: Pick<PresenceStore, "endSession"> },
): readonly WebhookHandler[] {
  return [
    webhookHandler("SPACE_RECORDING", {
      asksClassroom: false,
      handle: async ({ receipt: { environment }, webhook }) => {
        const { spaceId, recordingId, eventType, at } = webhook;
        return { state: await handleRecording(deps, { environment, spaceId, recordingId, eventType, at }) };
      },
    }),
    webhookHandler("SPACE_SESSION", {
      asksClassroom: false,
      handle: async ({ receipt: { environment }, webhook }) => {
        const { spaceId, sessionId, eventType, at: endedAt } = webhook;
        if (eventType !== "SESSION_ENDED") return { state: "kept", ...unknownType(webhook) };
        const state = await handleSessionEnded(deps, { environment, spaceId, sessionId, endedAt });
        // After the end was kept, so that a signal in between finds it.
        await endPresence(deps, { environment, spaceId, sessionId }, endedAt);
        if (state === "done") await wantLookAt(deps, { environment, spaceId }, endedAt);
        return { state };
      },
    }),
  ];
}
