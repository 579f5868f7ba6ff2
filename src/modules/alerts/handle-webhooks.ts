import { type WebhookHandler, webhookHandler } from "../../inbox/webhook-handlers.ts";
import { handleAlert, type HandleAlertDeps } from "./handle-alert.ts";

/** CONTROL_CENTER_ALERT (interface 6.8). */
export function alertWebhooks(deps: HandleAlertDeps): WebhookHandler {
  return webhookHandler("CONTROL_CENTER_ALERT", {
    asksClassroom: true,
    handle: async ({ receipt: { environment }, webhook }) => {
      const { alertId, alertType, eventType, at, updatedBy } = webhook;
      return {
        state: await handleAlert(deps, { environment, alertId, alertType, eventType, at, updatedBy }),
      };
    },
  });
}
