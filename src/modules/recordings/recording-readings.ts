import { z } from "zod";
import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import type { RecordingReply, RecordingsReply } from "../../classroom/read-recordings.ts";
import type { AccountId } from "../../domain/account.ts";
import type { Course } from "../../domain/course.ts";
import { goesOnFrom, isToGoOn, unfinishedOf } from "../../domain/list-pages.ts";
import { byKey } from "../../kernel/lists.ts";
import { retryPolicies } from "../../tasks/retry-policies.ts";
import { runNextTask } from "../../tasks/run-task.ts";
import { defineTask, type Task, type TaskResult, unfinishedSchema } from "../../tasks/task-kind.ts";
import { publishNew, waitsFor } from "./handle-webhooks.ts";
import type { RecordingsApp } from "./list-recordings.ts";
import { nextLook, recordingState, type SpaceRecording, type TextPart } from "./rules/recording.ts";
import type { ListedRecording } from "./store/recording-store.ts";

/** To have the lists of a course's Spaces read. */
type ReadingsApp = Pick<App, "courses" | "courseLinks" | "tasks" | "wake" | "clock">;

/** A younger list (ms) is not read again for a waiting person. */
const freshMs = 10_000;

/** Ahead of background work. Repeatable. @param which "unread": only lists never read, for the first visit. */
export async function lookAgain(app: ReadingsApp, course: Course, which: "all" | "unread" = "all") {
  const { environment } = course;
  const spaces = (await spacesOfCourse(app, course)).map(({ spaceId }) => ({ environment, spaceId }));
  const known = await app.tasks.findMany(recordingReadings, spaces);
  const now = app.clock.now();
  let wanted = false;
  for (const space of spaces) {
    const last = known.find(({ payload }) => payload.spaceId === space.spaceId);
    const enough =
      which === "unread"
        ? last !== undefined
        : (last?.facts.readAt ?? 0) > now - freshMs && last?.problem === null;
    if (enough) continue;
    await app.tasks.enqueue(recordingReadings, space, { now, priority: "person", fresh: true });
    wanted = true;
  }
  if (wanted) app.wake(recordingReadings);
}

/** Milliseconds between checks whether the lists have been read. */
const pollMs = 150;

/** Waits, at most `waitMs`, until no list is being read for a person: mostly a second. */
export async function untilLooked(app: ReadingsApp, course: Course, waitMs: number): Promise<void> {
  const { environment } = course;
  const spaces = (await spacesOfCourse(app, course)).map(({ spaceId }) => ({ environment, spaceId }));
  const givenUpAt = app.clock.now() + waitMs;
  while (app.clock.now() < givenUpAt) {
    const readings = await app.tasks.findMany(recordingReadings, spaces);
    if (!readings.some(isUnderWay)) return;
    await app.clock.sleep(pollMs);
  }
}

/** Whether a person waits for a list that has not just failed. */
export function isUnderWay({ priority, problem }: Pick<RecordingReading, "priority" | "problem">): boolean {
  return priority === "person" && problem === null;
}

const readingPayload = z.object({ environment: z.string(), spaceId: z.string() });

const readingFacts = z.object({
  /** When the list was last read (ms). */
  readAt: z.number().nullable().default(null),
  /** Whether the classroom has such a list; null while unknown. Without one there are webhooks only. */
  offered: z.boolean().nullable().default(null),
  /** Entries without a Space; nobody sees them until a webhook names it. */
  unplaced: z.number().default(0),
  /** The rest of the list when the last reading was interrupted. */
  unfinished: unfinishedSchema,
});

type RecordingFacts = z.infer<typeof readingFacts>;
export type RecordingReading = Task<z.infer<typeof readingPayload>, RecordingFacts>;

export const recordingReadings = defineTask({
  name: "recording-readings",
  queue: "recordings",
  order: "person-first-in-scope",
  payload: readingPayload,
  facts: readingFacts,
  identityOf: ({ environment, spaceId }) => ({
    ...{ key: `${environment}:${spaceId}`, scope: environment },
    ...{ registrationId: null, courseId: null },
  }),
  retry: retryPolicies["recording-readings"],
  whileRunning: "again",
});

const analyticsPayload = z.object({
  environment: z.string(),
  spaceId: z.string(),
  sessionId: z.string(),
  /** From the webhook (ms). */
  endedAt: z.number(),
});

const analyticsFacts = z.object({
  /** How often the session was not in the list. */
  looks: z.number().default(0),
});

export type AnalyticsFacts = z.infer<typeof analyticsFacts>;

/** Reads what the classroom says of a session that is over, one task for each: its end says that analytics are complete (interface 6.3). */
export const sessionAnalytics = defineTask({
  name: "session-analytics",
  order: "person-first-in-scope",
  payload: analyticsPayload,
  facts: analyticsFacts,
  identityOf: ({ environment, sessionId }) => ({
    ...{ key: `${environment}:${sessionId}`, scope: environment },
    ...{ registrationId: null, courseId: null },
  }),
  retry: retryPolicies["session-analytics"],
  whileRunning: "serves",
});

export type CourseSpace = {
  spaceId: string;
  /**
   * "own": what happens there is the course's unless known to be another's. "shared": another course's, or linked by
   * several courses, so only what is known to be this course's is.
   */
  claim: "own" | "shared";
};

/** A course's own Space, earlier ones, and those its links open, as far as it has a right to them. */
export async function spacesOfCourse(app: Pick<App, "courses" | "courseLinks">, course: Course) {
  const [former, links] = await Promise.all([
    app.courses.formerSpaces(course),
    app.courseLinks.listOfCourse(course.registrationId, course.id),
  ]);
  const linked = links.flatMap(({ choice }) => (choice.kind === "space" ? [choice.spaceId] : []));
  const named = [...former, ...linked, ...(course.spaceId === null ? [] : [course.spaceId])];
  const others = await app.courses.usableOf(course, named);
  const own: CourseSpace[] = [];
  if (course.spaceId !== null && others.delete(course.spaceId))
    own.push({ spaceId: course.spaceId, claim: "own" });
  const rest = await Promise.all(
    [...others].map(async (spaceId): Promise<CourseSpace> => ({
      spaceId,
      claim: (await isOnlyOurs(app, course, spaceId, former.includes(spaceId))) ? "own" : "shared",
    })),
  );
  return [...own, ...rest];
}

/** Whether no other course uses a Space that is not the course's own. */
async function isOnlyOurs(
  app: Pick<App, "courses" | "courseLinks">,
  course: Course,
  spaceId: string,
  wasOurs: boolean,
): Promise<boolean> {
  const owners = await app.courses.findBySpace(course.environment, spaceId);
  if (owners.some(({ id }) => id !== course.id)) return false;
  const links = await app.courseLinks.listOpening(spaceId);
  return wasOurs || links.every(({ courseId }) => courseId === course.id);
}

type ReadingApp = RecordingsApp &
  Pick<App, "recordingTexts" | "tasks" | "ids" | "logger"> & {
    classroomOf: (environment: AccountId) => Pick<ClassroomClient, "readRecordings">;
    ending: AbortSignal;
  };

/** Of sessions that may lack a recording. */
const maxEnds = 20;

/** Reads the list of recordings of the Space that is due longest. @returns false when nothing is due. */
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
  const kept = await keep(app, { environment, spaceId }, reply, readAt);
  const unplaced = kept + (before === null ? 0 : facts.unplaced);
  if (reply.whole && unplaced === 0) await app.recordings.markMissing({ environment, spaceId }, since);
  await removeTexts(app, { environment, spaceId });
  await publishNew(app, environment, spaceId);
  const soFar = { offered: true, unplaced, unfinished };
  // Pages before the failed one are kept, and the reading continues there.
  if (reply.failure !== null) return { nextAt: null, facts: soFar, failure: reply.failure };
  const goesOn = isToGoOn(unfinished);
  const nextAt = goesOn ? app.clock.now() : await lookAgainAt(app, environment, spaceId);
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

/** Of an entry without one, from its webhook: the list may cover all Spaces. */
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
  const isThere = state === "ready" || (state === null && publishedAt !== null);
  const availableAt = isThere ? Math.min(publishedAt ?? readAt, readAt) : null;
  return { ...facts, listedAs: state, availableAt };
}

/** Null when no recording is expected. */
async function lookAgainAt(app: ReadingApp, environment: AccountId, spaceId: string): Promise<number | null> {
  const [ends, recordings] = await Promise.all([
    app.sessionEnds.listOfSpaces(environment, [spaceId], maxEnds),
    app.recordings.listOfSpaces(environment, [spaceId], maxEnds),
  ]);
  const latest = Math.max(0, ...recordings.map(({ availableAt }) => availableAt ?? 0));
  const waiting = ends.map(({ endedAt }) => endedAt).filter((endedAt) => endedAt > latest);
  return nextLook(waiting, waitsFor(app.recordingSettingsOf(environment)), app.clock.now());
}

type TextLengths = Pick<SpaceRecording, "transcriptLength" | "summaryLength">;

type SpaceKey = Pick<SpaceRecording, "environment" | "spaceId">;

/** Recordings read of a Space. */
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

/** Also removes texts that the list lacks. @param before What was kept of the recording. @returns the lengths now. */
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
