import type { App } from "../../app.ts";
import type { RecordingSettings } from "../../classroom/dialect-recordings.ts";
import { nextLook } from "./rules/recording-reading.ts";
import type { SessionEnd } from "./rules/recording.ts";
import { recordingReadings } from "./recording-readings.ts";
import { coursesOfSpace, type CoursesOfSpaceDeps } from "./courses-of-space.ts";

export type HandleSessionEndedDeps = CoursesOfSpaceDeps &
  Pick<App, "sessionEnds" | "tasks" | "clock"> & {
    recordingSettings: RecordingSettings;
  };

/**
 * Keeps that a session of a Space has ended: a recording may come now. Its list is read by itself once one can be
 * expected, for classrooms that send no webhooks about recordings. Repeating it changes nothing.
 * @returns "kept" when the Space is no course's.
 */
export async function handleSessionEnded(
  deps: HandleSessionEndedDeps,
  end: SessionEnd,
): Promise<"done" | "kept"> {
  const { environment, spaceId } = end;
  const now = deps.clock.now();
  await deps.sessionEnds.note({ ...end, endedAt: Math.min(end.endedAt, now) });
  if ((await coursesOfSpace(deps, environment, spaceId)).length === 0) return "kept";
  const dueAt = nextLook([end.endedAt], waitsFor(deps.recordingSettings), now);
  if (dueAt !== null) await deps.tasks.enqueue(recordingReadings, { environment, spaceId }, { now, dueAt });
  return "done";
}

/** How long recordings are waited for (ms). */
export function waitsFor({
  expectedMinutes,
  givenUpMinutes,
}: Pick<RecordingSettings, "expectedMinutes" | "givenUpMinutes">) {
  return { expectedMs: expectedMinutes * 60_000, givenUpMs: givenUpMinutes * 60_000 };
}
