import type { App } from "../../app.ts";
import { gapQuietMs, hasOpenGap, isOpenGap } from "./rules/attendance-gap.ts";
import type { AttendanceObservation } from "../../domain/attendance.ts";
import { endOf, nextReading } from "./rules/attendance-reading.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { TaskResult } from "../../tasks/task-kind.ts";
import { readingOf, type ReadingFacts, type ReadingTask } from "./attendance-readings.ts";
import type { AttendanceStore } from "./store/attendance-store.ts";
import type { RecordedAttendance } from "./record-attendance.ts";

export type NoteGapDeps = Pick<App, "attendanceReadings" | "clock">;

/**
 * A webhook's previous status differs from ours, so one was lost: has attendance read, once a burst has settled, as
 * webhooks overtake each other.
 */
export async function noteGap(
  { attendanceReadings, clock }: NoteGapDeps,
  { course, event, history }: Extract<RecordedAttendance, { kind: "recorded" }>,
  observation: AttendanceObservation,
): Promise<void> {
  if (observation.previous === undefined || history === null || !isOpenGap(history, observation, null))
    return;
  const { environment, eventId } = event;
  const before = await attendanceReadings.find(environment, eventId);
  if (!isOpenGap(history, observation, before?.readAt ?? null)) return;
  const { registrationId, id: courseId } = course;
  const now = clock.now();
  const endedAt = endOf(event) ?? now;
  await attendanceReadings.wantForGap({ environment, eventId, registrationId, courseId, endedAt }, now);
}

/** One for a gap is dropped when the missing message has come. @returns null: ask the classroom; else when it is due. */
export async function withoutReading(
  deps: { attendance: Pick<AttendanceStore, "listOfEvent">; clock: Clock },
  task: ReadingTask,
): Promise<TaskResult<ReadingFacts> | null> {
  const { gapSeenAt, urgency, endedAt, readAt, registrationId, courseId, eventId, problem } = readingOf(task);
  const now = deps.clock.now();
  const next = nextReading(endedAt, readAt);
  const isOnTimetable = next !== null && next <= now;
  if (gapSeenAt === null || urgency === "person" || isOnTimetable || problem !== null) return null;
  const quietAt = gapSeenAt + gapQuietMs;
  if (now < quietAt) return { postponed: true, nextAt: quietAt };
  const records = await deps.attendance.listOfEvent(registrationId, courseId, eventId);
  if (records.some(({ history }) => hasOpenGap(history, readAt))) return null;
  return { postponed: true, nextAt: next, factsUnlessWished: { gapSeenAt: null } };
}
