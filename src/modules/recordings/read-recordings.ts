import type { ClassroomClient } from "../../classroom/client.ts";
import type { RecordingReply, RecordingsReply } from "../../classroom/read-recordings.ts";
import type { RecordingManners } from "../../classroom/dialect-recordings.ts";
import { nextLook, type RecordingReading, readingRetry } from "./rules/recording-reading.ts";
import { goesOnFrom, isToGoOn, unfinishedOf } from "../../domain/list-pages.ts";
import type { EnvironmentName } from "../../domain/registration.ts";
import type { Clock } from "../../kernel/clock.ts";
import { messageOf, NamedError } from "../../kernel/errors.ts";
import type { Ids } from "../../kernel/ids.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { RecordingReadingOutcome, RecordingReadingStore } from "./store/recording-reading-store.ts";
import type { RecordingTextStore } from "./store/recording-text-store.ts";
import type { ListedRecording, RecordingStore } from "./store/recording-store.ts";
import type { SessionEndStore } from "./store/session-end-store.ts";
import { claimLasts, withClaim } from "../../kernel/with-claim.ts";
import { problemCodeOf } from "../../kernel/problem-code.ts";
import { waitsOf } from "./note-ended.ts";
import { keepTexts, removeTexts, type TextLengths, textLengths } from "./keep-texts.ts";
import { publishNew, type PublishNewDeps } from "./publish-new.ts";

export type ReadRecordingsDeps = Omit<PublishNewDeps, "recordings"> & {
  recordings: Pick<RecordingStore, "find" | "listOfSpaces" | "keepListed" | "markMissing" | "forgetTexts">;
  recordingTexts: Pick<RecordingTextStore, "keep" | "remove">;
  recordingReadings: RecordingReadingStore;
  sessionEnds: Pick<SessionEndStore, "listOfSpaces">;
  recordingManners: RecordingManners;
  classroomOf: (environment: EnvironmentName) => Pick<ClassroomClient, "readRecordings">;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  ending: AbortSignal;
};

/** Ends that recordings may still be waited for. */
const latestEnds = 20;

/**
 * Reads the classroom's list of recordings for the Space that waits for it longest, and keeps what it tells. One process
 * at a time reads a Space; after a crash another one takes over.
 * @returns false when nothing is due.
 */
export async function readNextRecordings(deps: ReadRecordingsDeps): Promise<boolean> {
  const holder = deps.ids.id("hold");
  const now = deps.clock.now();
  const reading = await deps.recordingReadings.claimDue(holder, now, now + claimLasts);
  if (reading === null) return false;
  await withClaim(
    deps,
    (until) => deps.recordingReadings.extend(reading.id, holder, until),
    async () => {
      await deps.recordingReadings.settle(reading, holder, await outcomeOf(deps, reading));
    },
  );
  return true;
}

async function outcomeOf(
  deps: ReadRecordingsDeps,
  reading: RecordingReading,
): Promise<RecordingReadingOutcome> {
  try {
    return await readOf(deps, reading);
  } catch (thrown) {
    return failed(deps, reading, thrown);
  }
}

function failed(
  deps: Pick<ReadRecordingsDeps, "clock" | "logger">,
  { environment, spaceId, attempts }: RecordingReading,
  thrown: unknown,
): RecordingReadingOutcome {
  const problem = thrown instanceof NamedError ? thrown.message : `Unexpected: ${messageOf(thrown)}`;
  deps.logger.warn({ environment, spaceId, attempts, problem }, "recordings could not be read");
  const delay = readingRetry(attempts);
  const dueAt = delay === null ? null : deps.clock.now() + delay;
  return { dueAt, problem, problemCode: problemCodeOf(thrown), ...(dueAt === null ? { attempts: 0 } : {}) };
}

async function readOf(deps: ReadRecordingsDeps, reading: RecordingReading): Promise<RecordingReadingOutcome> {
  const { environment, spaceId, urgency } = reading;
  const began = deps.clock.now();
  let readAt = began;
  const before = goesOnFrom(reading.unfinished, began);
  const reply = await deps.classroomOf(environment).readRecordings(spaceId, {
    priority: urgency === "person" ? "instructor" : "background",
    signal: deps.ending,
    from: before,
    onPermit: () => {
      readAt = deps.clock.now();
    },
  });
  const done = { attempts: 0, readAt, problem: null, unfinished: null };
  if (reply === null) return { ...done, dueAt: null, offered: false, unplaced: 0 };
  const unfinished = unfinishedOf(reply.more, before, began);
  const since = before?.since ?? began;
  const kept = await keep(deps, { environment, spaceId }, reply, readAt);
  const unplaced = kept + (before === null ? 0 : reading.unplaced);
  if (reply.whole && unplaced === 0) await deps.recordings.markMissing({ environment, spaceId }, since);
  await removeTexts(deps, { environment, spaceId });
  await publishNew(deps, environment, spaceId);
  const told = { offered: true, unplaced, unfinished };
  // What came before the page that failed is kept, and the reading goes on from there.
  if (reply.failure !== null) return { ...failed(deps, reading, reply.failure), ...told };
  const goesOn = isToGoOn(unfinished);
  const dueAt = goesOn ? deps.clock.now() : await lookAgainAt(deps, environment, spaceId);
  return { ...done, ...told, dueAt };
}

type Space = Pick<RecordingReading, "environment" | "spaceId">;

/** Keeps the entries that are of the Space. @returns how many may be of any. */
async function keep(
  deps: ReadRecordingsDeps,
  space: Space,
  { recordings }: RecordingsReply,
  readAt: number,
): Promise<number> {
  let unplaced = 0;
  const lengths = await textLengths(deps, space);
  for (const entry of recordings) {
    const spaceId = entry.spaceId ?? (await toldSpace(deps, space, entry.recordingId));
    if (spaceId === null) unplaced += 1;
    if (spaceId !== space.spaceId) continue;
    const texts = await keepTexts(deps, space, entry, lengths.get(entry.recordingId));
    await deps.recordings.keepListed(space, { ...listedOf(entry, readAt), ...texts }, readAt);
  }
  return unplaced;
}

/** The Space of an entry that does not tell it: that of its webhook. The list may be of all Spaces there are. */
async function toldSpace(
  deps: ReadRecordingsDeps,
  { environment, spaceId }: Space,
  recordingId: string,
): Promise<string | null> {
  if (deps.recordingManners.listIsOfSpace) return spaceId;
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

/** When recordings are looked for again because some are still to be expected; null when none is. */
async function lookAgainAt(
  deps: ReadRecordingsDeps,
  environment: EnvironmentName,
  spaceId: string,
): Promise<number | null> {
  const [ends, recordings] = await Promise.all([
    deps.sessionEnds.listOfSpaces(environment, [spaceId], latestEnds),
    deps.recordings.listOfSpaces(environment, [spaceId], latestEnds),
  ]);
  const latest = Math.max(0, ...recordings.map(({ availableAt }) => availableAt ?? 0));
  const waiting = ends.map(({ endedAt }) => endedAt).filter((endedAt) => endedAt > latest);
  return nextLook(waiting, waitsOf(deps.recordingManners), deps.clock.now());
}
