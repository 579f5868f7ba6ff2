import type { App } from "../../app.ts";
import { unmatchedOutcome } from "../../inbox/rules/receipt.ts";
import { type WebhookHandler, webhookHandler } from "../../inbox/webhook-handlers.ts";
import { erasedOutcome } from "../members/is-erased.ts";
import { noteGap, type NoteGapDeps } from "./look-into-gap.ts";
import { recordObservation, type RecordAttendanceDeps } from "./record-attendance.ts";

export type AttendanceWebhookDeps = RecordAttendanceDeps & NoteGapDeps & Pick<App, "askedEvents">;

/** ATTENDANCE (interface 6.6): one person in one event. */
export function attendanceWebhooks(deps: AttendanceWebhookDeps): WebhookHandler {
  return webhookHandler("ATTENDANCE", {
    asksClassroom: true,
    subjectOf: ({ eventId, userId }) => [eventId, userId],
    handle: async ({ receipt, webhook: { eventId, userId, observation } }) => {
      const now = deps.clock.now();
      const { environment } = receipt;
      // The classroom may know the event by now.
      if (receipt.state !== "unmatched") await deps.askedEvents.hasten(environment, eventId, now);
      const result = await recordObservation(deps, { environment, eventId, userId, observation });
      if (result.kind === "erased") return erasedOutcome(now);
      if (result.kind === "unmatched") return unmatchedOutcome(receipt, result, now);
      const { course, person } = result;
      await noteGap(deps, result, observation);
      return { state: "done", graded: { course, person } };
    },
  });
}
