import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import type { RecordingSettings } from "../../classroom/dialect-replies.ts";
import type { RecordingReply, RecordingsReply } from "../../classroom/read-recordings.ts";
import type { AccountId } from "../../domain/account.ts";
import { goesOnFrom, isToGoOn, unfinishedOf } from "../../domain/list-pages.ts";
import { runNextTask } from "../../tasks/run-task.ts";
import type { TaskResult } from "../../tasks/task-kind.ts";
import { publishNew, type PublishNewDeps, waitsFor } from "./handle-webhooks.ts";
import { type RecordingFacts, type RecordingReading, recordingReadings } from "./recording-readings.ts";
import { nextLook, recordingState, type SpaceRecording, type TextPart } from "./rules/recording.ts";
import type { ListedRecording } from "./store/recording-store.ts";

type ReadRecordingsDeps = Omit<PublishNewDeps, "recordings"> &
  Pick<App, "recordings" | "recordingTexts" | "tasks" | "sessionEnds" | "clock" | "ids" | "logger"> & {
    recordingSettingsOf: (account: AccountId) => RecordingSettings;
    classroomOf: (environment: AccountId) => Pick<ClassroomClient, "readRecordings">;
    ending: AbortSignal;
  };

/** Of sessions that may lack a recording. */
const maxEnds = 20;

/** Reads the list of recordings of the Space that is due longest. @returns false when nothing is due. */
export function readNextRecordings(deps: ReadRecordingsDeps): Promise<boolean> {
  return runNextTask(deps, recordingReadings, { run: (task) => readOf(deps, task) });
}

async function readOf(
  deps: ReadRecordingsDeps,
  { payload, facts, priority }: RecordingReading,
): Promise<TaskResult<RecordingFacts>> {
  const { environment, spaceId } = payload;
  const began = deps.clock.now();
  let readAt = began;
  const before = goesOnFrom(facts.unfinished, began);
  const reply = await deps.classroomOf(environment).readRecordings(spaceId, {
    priority: priority === "person" ? "instructor" : "background",
    signal: deps.ending,
    from: before,
    onPermit: () => {
      readAt = deps.clock.now();
    },
  });
  if (reply === null)
    return { nextAt: null, facts: { readAt, offered: false, unplaced: 0, unfinished: null } };
  const unfinished = unfinishedOf(reply.more, before, began);
  const since = before?.since ?? began;
  const kept = await keep(deps, { environment, spaceId }, reply, readAt);
  const unplaced = kept + (before === null ? 0 : facts.unplaced);
  if (reply.whole && unplaced === 0) await deps.recordings.markMissing({ environment, spaceId }, since);
  await removeTexts(deps, { environment, spaceId });
  await publishNew(deps, environment, spaceId);
  const soFar = { offered: true, unplaced, unfinished };
  // Pages before the failed one are kept, and the reading continues there.
  if (reply.failure !== null) return { nextAt: null, facts: soFar, failure: reply.failure };
  const goesOn = isToGoOn(unfinished);
  const nextAt = goesOn ? deps.clock.now() : await lookAgainAt(deps, environment, spaceId);
  return { nextAt, facts: { ...soFar, readAt } };
}

type Space = RecordingReading["payload"];

/** @returns how many entries may belong to any Space. */
async function keep(
  deps: ReadRecordingsDeps,
  space: Space,
  { recordings }: RecordingsReply,
  readAt: number,
): Promise<number> {
  let unplaced = 0;
  const lengths = await textLengths(deps, space);
  for (const entry of recordings) {
    const spaceId = entry.spaceId ?? (await spaceOfEntry(deps, space, entry.recordingId));
    if (spaceId === null) unplaced += 1;
    if (spaceId !== space.spaceId) continue;
    const texts = await keepTexts(deps, space, entry, lengths.get(entry.recordingId));
    await deps.recordings.keepListed(space, { ...listedOf(entry, readAt), ...texts }, readAt);
  }
  return unplaced;
}

/** Of an entry without one, from its webhook: the list may cover all Spaces. */
async function spaceOfEntry(
  deps: ReadRecordingsDeps,
  { environment, spaceId }: Space,
  recordingId: string,
): Promise<string | null> {
  if (deps.recordingSettingsOf(environment).listIsOfSpace) return spaceId;
  return (await deps.recordings.find(environment, recordingId))?.spaceId ?? null;
}

function listedOf(entry: RecordingReply, readAt: number): Omit<ListedRecording, keyof TextLengths> {
  const {
    spaceId: _space,
    state,
    publishedAt,
    transcriptText: _said,
    summaryText: _summary,
    ...facts
  } = entry;
  const isThere = state === "ready" || (state === null && publishedAt !== null);
  const availableAt = isThere ? Math.min(publishedAt ?? readAt, readAt) : null;
  return { ...facts, listedAs: state, availableAt };
}

/** Null when no recording is expected. */
async function lookAgainAt(
  deps: ReadRecordingsDeps,
  environment: AccountId,
  spaceId: string,
): Promise<number | null> {
  const [ends, recordings] = await Promise.all([
    deps.sessionEnds.listOfSpaces(environment, [spaceId], maxEnds),
    deps.recordings.listOfSpaces(environment, [spaceId], maxEnds),
  ]);
  const latest = Math.max(0, ...recordings.map(({ availableAt }) => availableAt ?? 0));
  const waiting = ends.map(({ endedAt }) => endedAt).filter((endedAt) => endedAt > latest);
  return nextLook(waiting, waitsFor(deps.recordingSettingsOf(environment)), deps.clock.now());
}

type TextLengths = Pick<SpaceRecording, "transcriptLength" | "summaryLength">;

type SpaceKey = Pick<SpaceRecording, "environment" | "spaceId">;
type TextsDeps = Pick<App, "recordings" | "recordingTexts">;

/** Recordings read of a Space. */
const maxRecordings = 1_000;
const parts = [
  { part: "transcript", length: "transcriptLength", reply: "transcriptText" },
  { part: "summary", length: "summaryLength", reply: "summaryText" },
] as const satisfies { part: TextPart; length: keyof TextLengths; reply: keyof RecordingReply }[];

async function textLengths(
  { recordings }: Pick<TextsDeps, "recordings">,
  { environment, spaceId }: SpaceKey,
): Promise<Map<string, SpaceRecording>> {
  const known = await recordings.listOfSpaces(environment, [spaceId], maxRecordings);
  const withTexts = known.filter((recording) => parts.some(({ length }) => recording[length] !== null));
  return new Map(withTexts.map((recording) => [recording.recordingId, recording]));
}

/** Also removes texts that the list lacks. @param before What was kept of the recording. @returns the lengths now. */
async function keepTexts(
  { recordingTexts }: Pick<TextsDeps, "recordingTexts">,
  { environment, spaceId }: SpaceKey,
  entry: RecordingReply,
  before: TextLengths | undefined,
): Promise<TextLengths> {
  const { recordingId } = entry;
  const lengths: TextLengths = { transcriptLength: null, summaryLength: null };
  for (const { part, length, reply } of parts) {
    const text = entry[reply];
    const name = { environment, recordingId, part };
    if (text !== null) lengths[length] = await recordingTexts.keep({ ...name, spaceId }, text);
    else if (before !== undefined && before[length] !== null) await recordingTexts.remove(name);
  }
  return lengths;
}

async function removeTexts(deps: TextsDeps, space: SpaceKey): Promise<void> {
  const { environment } = space;
  for (const [recordingId, recording] of await textLengths(deps, space)) {
    if (recordingState(recording) !== "unavailable") continue;
    for (const { part } of parts) await deps.recordingTexts.remove({ environment, recordingId, part });
    await deps.recordings.forgetTexts({ environment, recordingId });
  }
}
