import type { App } from "../../app.ts";
import type { RecordingSettings } from "../../classroom/dialect-replies.ts";
import type { AccountId } from "../../domain/account.ts";
import { recordingReadings } from "./recording-readings.ts";
import { coursesOfSpace } from "./courses-of-space.ts";
import { publishNew, type PublishNewDeps } from "./publish-new.ts";

export type HandleRecordingDeps = Omit<PublishNewDeps, "recordings"> &
  Pick<App, "recordings" | "tasks" | "wake" | "clock"> & {
    recordingSettingsOf: (account: AccountId) => RecordingSettings;
  };

export type ReportedRecording = {
  environment: AccountId;
  spaceId: string;
  recordingId: string;
  eventType: string;
  /** When it happened (ms). */
  at: number;
};

/** A classroom without a list of recordings (ms). */
const recheckMs = 24 * 3_600_000;

/**
 * Keeps a webhook's facts and has the classroom's list read for the rest. Order and repetition do not matter. @returns
 * "kept" when no course has the Space or the eventType is unknown.
 */
export async function handleRecording(
  deps: HandleRecordingDeps,
  reported: ReportedRecording,
): Promise<"done" | "kept"> {
  const { environment, spaceId, recordingId, at } = reported;
  const what = meaningOf(deps.recordingSettingsOf(environment).events, reported.eventType);
  const now = deps.clock.now();
  if (what !== null) await deps.recordings.note({ environment, spaceId, recordingId }, { [what]: at }, now);
  if ((await coursesOfSpace(deps, environment, spaceId)).length === 0) return "kept";
  if (what !== null) await publishNew(deps, environment, spaceId);
  if (await mayHaveList(deps, environment, spaceId, now)) {
    await deps.tasks.enqueue(recordingReadings, { environment, spaceId }, { now });
    deps.wake(recordingReadings);
  }
  return what === null ? "kept" : "done";
}

/** What an eventType means; null when unknown. */
export function meaningOf(
  events: RecordingSettings["events"],
  eventType: string,
): "availableAt" | "transcriptAt" | "goneAt" | null {
  const isOne = (known: readonly string[]) =>
    known.some((one) => one.toLowerCase() === eventType.toLowerCase());
  if (isOne(events.available)) return "availableAt";
  if (isOne(events.unavailable)) return "goneAt";
  return isOne(events.transcript) || /transcript/i.test(eventType) ? "transcriptAt" : null;
}

async function mayHaveList(
  { tasks }: Pick<HandleRecordingDeps, "tasks">,
  environment: AccountId,
  spaceId: string,
  now: number,
): Promise<boolean> {
  const last = (await tasks.find(recordingReadings, { environment, spaceId }))?.facts;
  return last?.offered !== false || now - (last.readAt ?? 0) > recheckMs;
}
