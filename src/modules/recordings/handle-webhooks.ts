import { unknownType } from "../../inbox/rules/webhook-kind.ts";
import { type WebhookHandler, webhookHandler } from "../../inbox/webhook-handlers.ts";
import { endPresence } from "../presence/end-presence.ts";
import { wantLookAt } from "../presence/space-visits.ts";
import type { PresenceStore } from "../presence/store/presence-store.ts";
import { handleSessionEnded, type HandleSessionEndedDeps } from "./handle-session-ended.ts";
import { handleRecording, type HandleRecordingDeps } from "./handle-recording.ts";

/** SPACE_RECORDING and SPACE_SESSION (interface 6.4, 6.3). An unreadable time becomes the arrival (6.1: not shown). */
export function recordingWebhooks(
  deps: HandleRecordingDeps & HandleSessionEndedDeps & { presences: Pick<PresenceStore, "endSession"> },
): readonly WebhookHandler[] {
  return [
    webhookHandler("SPACE_RECORDING", {
      asksClassroom: false,
      handle: async ({ receipt: { environment, receivedAt }, webhook }) => {
        const { spaceId, recordingId, eventType } = webhook;
        const at = webhook.at ?? receivedAt;
        return { state: await handleRecording(deps, { environment, spaceId, recordingId, eventType, at }) };
      },
    }),
    webhookHandler("SPACE_SESSION", {
      asksClassroom: false,
      handle: async ({ receipt: { environment, receivedAt }, webhook }) => {
        const { spaceId, sessionId, eventType } = webhook;
        if (eventType !== "SESSION_ENDED") return { state: "kept", ...unknownType(webhook) };
        const endedAt = webhook.at ?? receivedAt;
        const state = await handleSessionEnded(deps, { environment, spaceId, sessionId, endedAt });
        // After the end was kept, so that a signal in between finds it.
        await endPresence(deps, { environment, spaceId, sessionId }, Math.min(endedAt, receivedAt));
        if (state === "done") await wantLookAt(deps, { environment, spaceId }, Math.min(endedAt, receivedAt));
        return { state };
      },
    }),
  ];
}
