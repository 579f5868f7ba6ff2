import type { App } from "../../app.ts";
import type { RecordingSettings } from "../../classroom/dialect-recordings.ts";
import type { EnvironmentName } from "../../domain/registration.ts";
import { recordingReadings } from "./recording-readings.ts";
import { coursesOfSpace } from "./courses-of-space.ts";
import { publishNew, type PublishNewDeps } from "./publish-new.ts";

export type HandleRecordingDeps = Omit<PublishNewDeps, "recordings"> &
  Pick<App, "recordings" | "tasks" | "wake" | "clock"> & {
    recordingSettings: RecordingSettings;
  };

/** What a SPACE_RECORDING webhook tells (interface 6.4). */
export type RecordingTold = {
  environment: EnvironmentName;
  spaceId: string;
  recordingId: string;
  eventType: string;
  /** When it happened (ms). */
  at: number;
};

/** Where the classroom is known to have no list of recordings, it is asked again after so long (ms). */
const askedAgainAfter = 24 * 3_600_000;

/**
 * Keeps what is told about a recording, and has the classroom's list read for the rest. In whatever order and however
 * often it is told, the same is known in the end.
 * @returns "done"; "kept" when the Space is no course's or the eventType means nothing to us.
 */
export async function handleRecording(
  deps: HandleRecordingDeps,
  told: RecordingTold,
): Promise<"done" | "kept"> {
  const { environment, spaceId, recordingId, at } = told;
  const what = meaningOf(deps.recordingSettings.events, told.eventType);
  const now = deps.clock.now();
  // A clock ahead of ours would make it the latest for a long time.
  const when = Math.min(at, now);
  if (what !== null) await deps.recordings.note({ environment, spaceId, recordingId }, { [what]: when }, now);
  if ((await coursesOfSpace(deps, environment, spaceId)).length === 0) return "kept";
  if (what !== null) await publishNew(deps, environment, spaceId);
  if (await mayHaveList(deps, environment, spaceId, now)) {
    await deps.tasks.enqueue(recordingReadings, { environment, spaceId }, { now });
    deps.wake(recordingReadings);
  }
  return what === null ? "kept" : "done";
}

/** What an eventType tells; null for one that nobody knows. */
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
  environment: EnvironmentName,
  spaceId: string,
  now: number,
): Promise<boolean> {
  const last = (await tasks.find(recordingReadings, { environment, spaceId }))?.facts;
  return last?.offered !== false || now - (last.readAt ?? 0) > askedAgainAfter;
}
