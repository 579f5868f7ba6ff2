import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import type { RecordingSettings } from "../../classroom/dialect-replies.ts";
import { nextLook } from "./rules/recording-reading.ts";
import type { SessionEnd } from "./rules/recording.ts";
import { sessionAnalytics } from "./session-analytics.ts";
import { recordingReadings } from "./recording-readings.ts";
import { coursesOfSpace, type CoursesOfSpaceDeps } from "./courses-of-space.ts";

export type HandleSessionEndedDeps = CoursesOfSpaceDeps &
  Pick<App, "sessionEnds" | "tasks" | "clock"> & {
    recordingSettingsOf: (account: AccountId) => RecordingSettings;
  };

/**
 * Analytics are complete, and a recording may come: the list is read once one can be expected, for classrooms without webhooks about recordings.
 * Repeatable. @returns "kept" when no course has the Space.
 */
export async function handleSessionEnded(
  deps: HandleSessionEndedDeps,
  end: SessionEnd,
): Promise<"done" | "kept"> {
  const { environment, spaceId } = end;
  const now = deps.clock.now();
  await deps.sessionEnds.note(end);
  if ((await coursesOfSpace(deps, environment, spaceId)).length === 0) return "kept";
  const dueAt = nextLook([end.endedAt], waitsFor(deps.recordingSettingsOf(environment)), now);
  if (dueAt !== null) await deps.tasks.enqueue(recordingReadings, { environment, spaceId }, { now, dueAt });
  await deps.tasks.enqueue(sessionAnalytics, end, { now, dueAt: now });
  return "done";
}

/** How long recordings are expected (ms). */
export function waitsFor({
  expectedMinutes,
  givenUpMinutes,
}: Pick<RecordingSettings, "expectedMinutes" | "givenUpMinutes">) {
  return { expectedMs: expectedMinutes * 60_000, givenUpMs: givenUpMinutes * 60_000 };
}
