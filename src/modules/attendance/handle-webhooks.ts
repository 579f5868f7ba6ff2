import type { App } from "../../app.ts";
import { unmatchedOutcome } from "../../inbox/rules/unmatched.ts";
import { type WebhookHandler, webhookHandler } from "../../inbox/webhook-handlers.ts";
import { erasedOutcome } from "../members/is-erased.ts";
import { noteGap, type NoteGapDeps } from "./look-into-gap.ts";
import { recordObservation, type RecordAttendanceDeps } from "./record-attendance.ts";

export type AttendanceWebhookDeps = RecordAttendanceDeps & NoteGapDeps & Pick<App, "askedEvents">;

/** Attendance (interface 6.6): what the classroom says of one person in one event. */
export function attendanceWebhooks(deps: AttendanceWebhookDeps): WebhookHandler {
  return webhookHandler("ATTENDANCE", {
    asksClassroom: true,
    subjectOf: ({ eventId, userId }) => [eventId, userId],
    handle: async ({ receipt, webhook: { eventId, userId, observation } }) => {
      const now = deps.clock.now();
      const { environment } = receipt;
      // The classroom speaks of it just now: it may know the event meanwhile.
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
