import type { Receipt } from "./rules/receipt.ts";
import type { Webhook } from "./rules/webhook.ts";
import { noteAlert, type NoteAlertDeps } from "../modules/alerts/note-alert.ts";
import { noteEnded, type NoteEndedDeps } from "../modules/recordings/note-ended.ts";
import { noteRecording, type NoteRecordingDeps } from "../modules/recordings/note-recording.ts";

export type NoteToldDeps = NoteRecordingDeps & NoteEndedDeps & NoteAlertDeps;

/** A webhook about a recording, a session of a Space or an alert. */
export type ToldWebhook = Extract<
  Webhook,
  { family: "SPACE_RECORDING" | "SPACE_SESSION" | "CONTROL_CENTER_ALERT" }
>;

/** `noteTold` with everything it needs. */
export type NoteTold = (
  receipt: Pick<Receipt, "environment" | "receivedAt">,
  webhook: ToldWebhook,
) => Promise<"done" | "kept">;

/**
 * Lets a webhook about a recording, a session's end or an alert take effect; repeating it changes nothing. A time that
 * cannot be read (its format is not shown, interface 6.1) is taken for the time at which the webhook came.
 * @returns "kept" when it concerns no course, or means nothing to us.
 * @throws the classroom client's errors.
 */
export async function noteTold(
  deps: NoteToldDeps,
  { environment, receivedAt }: Pick<Receipt, "environment" | "receivedAt">,
  webhook: ToldWebhook,
): Promise<"done" | "kept"> {
  const at = webhook.at ?? receivedAt;
  switch (webhook.family) {
    case "SPACE_RECORDING": {
      const { spaceId, recordingId, eventType } = webhook;
      return noteRecording(deps, { environment, spaceId, recordingId, eventType, at });
    }
    case "SPACE_SESSION": {
      const { spaceId, sessionId, eventType } = webhook;
      if (eventType !== "SESSION_ENDED") return "kept";
      return noteEnded(deps, { environment, spaceId, sessionId, endedAt: at });
    }
    case "CONTROL_CENTER_ALERT": {
      const { alertId, alertType, eventType, updatedBy } = webhook;
      return noteAlert(deps, { environment, alertId, alertType, eventType, at, updatedBy });
    }
  }
}
