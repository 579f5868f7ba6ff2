import type { App } from "../../app.ts";
import { assumedLength, endOf, nextReading, readingsAfterEnd } from "./rules/attendance-reading.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import { wantSessionPresence, type WantPresenceDeps } from "./session-presence.ts";

export type PlanReadingsDeps = WantPresenceDeps &
  Pick<App, "events" | "courses" | "attendanceReadings" | "clock">;

/** Sessions planned at once; more wait for the next run. */
const batchSize = 200;
const maxBatches = 25;

/** Ended sessions whose readings are not planned yet. */
export function listToPlan(
  { events, clock }: Pick<PlanReadingsDeps, "events" | "clock">,
  limit: number,
): Promise<ClassroomEvent[]> {
  const now = clock.now();
  const [first] = readingsAfterEnd;
  return events.listUnread({ endedBy: now - first, startedBy: now - first - assumedLength }, limit);
}

/** Of ended sessions. Whether one is planned is stored with it: a crash loses none. @returns the number planned. */
export async function planReadings(deps: PlanReadingsDeps): Promise<number> {
  let planned = 0;
  for (let round = 0; round < maxBatches; round += 1) {
    const events = await listToPlan(deps, batchSize);
    for (const event of events) await planOne(deps, event);
    planned += events.length;
    if (events.length < batchSize) break;
  }
  return planned;
}

async function planOne(deps: PlanReadingsDeps, event: ClassroomEvent): Promise<void> {
  const endedAt = endOf(event);
  const course = event.courseId === null ? null : await deps.courses.find(event.courseId);
  if (course !== null && endedAt !== null && event.ours !== true) {
    const { environment, eventId } = event;
    const of = { environment, eventId, registrationId: course.registrationId, courseId: course.id, endedAt };
    await deps.attendanceReadings.plan(of, (readAt) => nextReading(endedAt, readAt));
    // Also of one whose times changed, or that became known only now.
    await wantSessionPresence(deps, of);
  }
  await deps.events.markReadingPlanned(event);
}
