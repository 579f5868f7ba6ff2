import type { App } from "../../app.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import { type WebhookHandler, webhookHandler, type WebhookOf } from "../../inbox/webhook-handlers.ts";
import type { Receipt } from "../../inbox/rules/receipt.ts";
import { refreshEvent, type RefreshEventDeps } from "./refresh-event.ts";

export type ScheduleWebhookDeps = RefreshEventDeps & Pick<App, "seriesChanges" | "receipts">;

export function scheduleWebhooks(deps: ScheduleWebhookDeps): WebhookHandler {
  return webhookHandler("SCHEDULE", {
    asksClassroom: true,
    handle: async ({ receipt, webhook }) => ({ state: await noteSchedule(deps, receipt, webhook) }),
  });
}

async function noteSchedule(
  deps: ScheduleWebhookDeps,
  { environment }: Receipt,
  { eventId, eventType, at, recurring, updatedBy: by }: WebhookOf<"SCHEDULE">,
): Promise<"done" | "kept"> {
  const before = await deps.events.find(environment, eventId);
  const change = { environment, eventId, eventType, at, recurring, by };
  const event = await refreshEvent(deps, change);
  // Sessions of Spaces without a course do not concern us.
  if (event === null || event.courseId === null) return "kept";
  if (recurring !== null) {
    const { courseId, title } = event;
    await deps.seriesChanges.note({ courseId, eventType, scope: recurring, title, at, by }, eventId);
  }
  await retryWaitingFor(deps, event, before);
  return "done";
}

/** Webhooks that waited until the event had a course are due. */
async function retryWaitingFor(
  { receipts, clock }: Pick<ScheduleWebhookDeps, "receipts" | "clock">,
  { environment, eventId }: ClassroomEvent,
  before: ClassroomEvent | null,
): Promise<void> {
  if (before !== null && before.courseId !== null) return;
  const now = clock.now();
  await receipts.retryWaiting({ kind: "event", environment, id: eventId }, now);
  const spaceId = before?.spaceId ?? null;
  if (spaceId !== null) await receipts.retryWaiting({ kind: "space", environment, id: spaceId }, now);
}
