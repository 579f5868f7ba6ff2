import { type WebhookHandler, webhookHandler } from "../../inbox/webhook-handlers.ts";
import { handleAlert, type HandleAlertDeps } from "./handle-alert.ts";

/** CONTROL_CENTER_ALERT (interface 6.8). An unreadable time becomes the time of arrival. */
export function alertWebhooks(deps: HandleAlertDeps): WebhookHandler {
  return webhookHandler("CONTROL_CENTER_ALERT", {
    asksClassroom: true,
    handle: async ({ receipt: { environment, receivedAt }, webhook }) => {
      const { alertId, alertType, eventType, updatedBy } = webhook;
      const at = webhook.at ?? receivedAt;
      return {
        state: await handleAlert(deps, { environment, alertId, alertType, eventType, at, updatedBy }),
      };
    },
  });
}
