import { z } from "zod";
import { unfinishedSchema } from "../../tasks/unfinished-schema.ts";
import type { App } from "../../app.ts";
import { type AttendanceReading, endOf } from "./rules/attendance-reading.ts";
import type { Course } from "../../domain/course.ts";
import { isToGoOn } from "../../domain/list-pages.ts";
import { refusal } from "../../kernel/refusal.ts";
import { readAttendance } from "./attendance-readings.ts";

export type ReadAgainDeps = Pick<App, "events" | "attendanceReadings" | "wake" | "clock">;

/** Of a page (ms). */
const waitMs = 4_000;
const pollMs = 100;

/** "waiting": the classroom has not answered yet; the reading goes on. */
export const readAgainSchema = z.union([
  z.object({ kind: z.literal("read"), listed: z.number(), news: z.number(), unfinished: unfinishedSchema }),
  z.object({ kind: z.literal("failed"), problem: z.string() }),
  z.object({ kind: z.literal("waiting") }),
]);
export type ReadAgain = z.infer<typeof readAgainSchema>;

/** Stored first; waits a few seconds. @throws NamedError "session-unknown" when it is not of this course. */
export async function readAgain(deps: ReadAgainDeps, course: Course, eventId: string): Promise<ReadAgain> {
  const { environment, id: courseId, registrationId } = course;
  const event = await deps.events.find(environment, eventId);
  // The classroom knows nothing of a session of ours.
  if (event === null || event.courseId !== courseId || event.ours === true) {
    throw refusal("session-unknown", { status: 404 });
  }
  const now = deps.clock.now();
  const before = await deps.attendanceReadings.find(environment, eventId);
  const endedAt = endOf(event) ?? now;
  await deps.attendanceReadings.request({ environment, eventId, registrationId, courseId, endedAt }, now);
  deps.wake(readAttendance);
  while (deps.clock.now() - now < waitMs) {
    await deps.clock.sleep(pollMs);
    const reading = await deps.attendanceReadings.find(environment, eventId);
    const outcome = reading === null ? null : outcomeOf(reading, before?.runs ?? 0);
    if (outcome !== null) return outcome;
  }
  return { kind: "waiting" };
}

function outcomeOf(reading: AttendanceReading, runsBefore: number): ReadAgain | null {
  const { listed, news, unfinished = null, runs, problem, urgency } = reading;
  // A long list goes on being read.
  if (runs > runsBefore && !isToGoOn(unfinished)) return { kind: "read", listed, news, unfinished };
  return problem !== null && urgency === "timetable" ? { kind: "failed", problem } : null;
}
