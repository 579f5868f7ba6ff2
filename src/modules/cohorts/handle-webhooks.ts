import { type WebhookHandler, webhookHandler } from "../../inbox/webhook-handlers.ts";
import { refreshCohort, type RefreshCohortDeps, unknownCohortEvent } from "./refresh-cohort.ts";

/** PROGRAM_AND_COHORT (interface 6.7). */
export function cohortWebhooks(deps: RefreshCohortDeps): WebhookHandler {
  return webhookHandler("PROGRAM_AND_COHORT", {
    asksClassroom: true,
    handle: async ({ receipt: { environment, receivedAt }, webhook }) => {
      const noted = await refreshCohort(deps, { environment, receivedAt, ...webhook });
      if (noted === "noted") return { state: "done" };
      const reason = unknownCohortEvent(webhook.eventType);
      return { state: "kept", reason, code: "event-type-unknown" };
    },
  });
}
