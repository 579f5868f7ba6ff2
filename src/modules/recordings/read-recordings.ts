import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import type { RecordingReply, RecordingsReply } from "../../classroom/read-recordings.ts";
import type { AccountId } from "../../domain/account.ts";
import { goesOnFrom, isToGoOn, unfinishedOf } from "../../domain/list-pages.ts";
import { byKey } from "../../kernel/lists.ts";
import { runNextTask } from "../../tasks/run-task.ts";
import type { TaskResult } from "../../tasks/task-kind.ts";
import { publishNew, waitsFor } from "./handle-webhooks.ts";
import type { RecordingsApp } from "./list-recordings.ts";
import { nextReadAt, recordingState, type SpaceRecording, type TextPart } from "./rules/recording.ts";
import type { ListedRecording } from "./store/recording-store.ts";
import { type RecordingFacts, type RecordingReading, recordingReadings } from "./recording-readings.ts";

type ReadingApp = RecordingsApp &
  Pick<App, "recordingTexts" | "tasks" | "ids" | "logger"> & {
    classroomOf: (environment: AccountId) => Pick<ClassroomClient, "readRecordings">;
    ending: AbortSignal;
  };

/** How many sessions may lack a recording at most. */
const maxEnds = 20;

/** Reads the list of recordings of the Space that has been due longest. @returns false if nothing is due. */
export function readNextRecordings(app: ReadingApp): Promise<boolean> {
  return runNextTask(app, recordingReadings, { run: (task) => readOf(app, task) });
}

async function readOf(
  app: ReadingApp,
  { payload, facts, priority }: RecordingReading,
): Promise<TaskResult<RecordingFacts>> {
  const { environment, spaceId } = payload;
  const began = app.clock.now();
  let readAt = began;
  const before = goesOnFrom(facts.unfinished, began);
  const reply = await app.classroomOf(environment).readRecordings(spaceId, {
    priority: priority === "person" ? "instructor" : "background",
    signal: app.ending,
    from: before,
    onPermit: () => {
      readAt = app.clock.now();
    },
  });
  if (reply === null)
    return { nextAt: null, facts: { readAt, offered: false, unplaced: 0, unfinished: null } };
  const unfinished = unfinishedOf(reply.more, before, began);
  const since = before?.since ?? began;
  const stored = await keep(app, { environment, spaceId }, reply, readAt);
  const unplaced = stored + (before === null ? 0 : facts.unplaced);
  if (reply.whole && unplaced === 0) await app.recordings.markMissing({ environment, spaceId }, since);
  await removeTexts(app, { environment, spaceId });
  await publishNew(app, environment, spaceId);
  const soFar = { offered: true, unplaced, unfinished };
  // Keeps the pages before the failed one, and the reading continues there.
  if (reply.failure !== null) return { nextAt: null, facts: soFar, failure: reply.failure };
  const goesOn = isToGoOn(unfinished);
  const nextAt = goesOn ? app.clock.now() : await readAgainAt(app, environment, spaceId);
  return { nextAt, facts: { ...soFar, readAt } };
}

type Space = RecordingReading["payload"];

/** @returns how many entries may belong to any Space. */
async function keep(app: ReadingApp, space: Space, { recordings }: RecordingsReply, readAt: number) {
  let unplaced = 0;
  const lengths = await textLengths(app, space);
  for (const entry of recordings) {
    const spaceId = entry.spaceId ?? (await spaceOfEntry(app, space, entry.recordingId));
    if (spaceId === null) unplaced += 1;
    if (spaceId !== space.spaceId) continue;
    const texts = await keepTexts(app, space, entry, lengths.get(entry.recordingId));
    await app.recordings.keepListed(space, { ...listedOf(entry, readAt), ...texts }, readAt);
  }
  return unplaced;
}

/** Takes the Space of an entry that names none from its webhook, because the list may cover all Spaces. */
async function spaceOfEntry(app: ReadingApp, { environment, spaceId }: Space, recordingId: string) {
  if (app.recordingSettingsOf(environment).listIsOfSpace) return spaceId;
  return (await app.recordings.find(environment, recordingId))?.spaceId ?? null;
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
  const isAvailable = state === "ready" || (state === null && publishedAt !== null);
  const availableAt = isAvailable ? Math.min(publishedAt ?? readAt, readAt) : null;
  return { ...facts, listedAs: state, availableAt };
}

/** Null if no recording is expected. */
async function readAgainAt(app: ReadingApp, environment: AccountId, spaceId: string): Promise<number | null> {
  const [ends, recordings] = await Promise.all([
    app.sessionEnds.listOfSpaces(environment, [spaceId], maxEnds),
    app.recordings.listOfSpaces(environment, [spaceId], maxEnds),
  ]);
  const latest = Math.max(0, ...recordings.map(({ availableAt }) => availableAt ?? 0));
  const waiting = ends.map(({ endedAt }) => endedAt).filter((endedAt) => endedAt > latest);
  return nextReadAt(waiting, waitsFor(app.recordingSettingsOf(environment)), app.clock.now());
}

type TextLengths = Pick<SpaceRecording, "transcriptLength" | "summaryLength">;

type SpaceKey = Pick<SpaceRecording, "environment" | "spaceId">;

/** How many recordings of a Space are read. */
const maxRecordings = 1_000;
const parts = [
  { part: "transcript", length: "transcriptLength", reply: "transcriptText" },
  { part: "summary", length: "summaryLength", reply: "summaryText" },
] as const satisfies { part: TextPart; length: keyof TextLengths; reply: keyof RecordingReply }[];

async function textLengths({ recordings }: Pick<App, "recordings">, { environment, spaceId }: SpaceKey) {
  const known = await recordings.listOfSpaces(environment, [spaceId], maxRecordings);
  const withTexts = known.filter((recording) => parts.some(({ length }) => recording[length] !== null));
  return byKey(withTexts, ({ recordingId }) => recordingId);
}

/** Also removes texts that the list lacks. @param before What was stored about the recording. @returns the lengths now. */
async function keepTexts(
  { recordingTexts }: Pick<App, "recordingTexts">,
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

async function removeTexts(app: Pick<App, "recordings" | "recordingTexts">, space: SpaceKey): Promise<void> {
  const { environment } = space;
  for (const [recordingId, recording] of await textLengths(app, space)) {
    if (recordingState(recording) !== "unavailable") continue;
    for (const { part } of parts) await app.recordingTexts.remove({ environment, recordingId, part });
    await app.recordings.forgetTexts({ environment, recordingId });
  }
}
