import type { App } from "../../app.ts";
import type { RecordingSettings } from "../../classroom/dialect-recordings.ts";
import { type AwaitedRecording, awaitedRecordings } from "./rules/awaited-recording.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course } from "../../domain/course.ts";
import {
  nothingTold,
  type RecordingDecision,
  recordingMoment,
  type RecordingState,
  recordingState,
  type SessionEnd,
  type SpaceRecording,
  undecided,
} from "./rules/recording.ts";
import type { TextPart } from "./rules/recording-text.ts";
import { type DatedSession, type SessionOfRecording, sessionOfRecording } from "./rules/recording-session.ts";
import { sessionOf } from "../scheduling/list-sessions.ts";
import { type CourseSpace, spacesOfCourse, type SpacesOfCourseDeps } from "./spaces-of-course.ts";

export type ListRecordingsDeps = SpacesOfCourseDeps &
  Pick<App, "recordings" | "recordingDecisions" | "sessionEnds" | "events" | "sessionPlans" | "clock"> & {
    recordingSettings: RecordingSettings;
  };

/** A session that a recording may have been made in. */
export type RecordedSession = DatedSession & {
  title: string | null;
  /** The LMS's ids of the sections it is for; empty for the whole course. */
  sectionIds: readonly string[];
};

/** A recording as a course has it: what the classroom told, what was decided here, and the session it belongs to. */
export type CourseRecording = {
  recordingId: string;
  spaceId: string;
  state: RecordingState;
  /** When it was made, as far as that is known, else when it came (ms). */
  at: number;
  /** When we heard of it first (ms). */
  firstSeenAt: number;
  /** What it is called here or in the classroom; null when neither says. */
  title: string | null;
  /** What an instructor called it; null when nobody did. */
  ownTitle: string | null;
  durationSeconds: number | null;
  session: SessionOfRecording<RecordedSession>;
  /** Whether an instructor said which session it is. */
  placed: boolean;
  shown: RecordingDecision["shown"];
  /** Of the decision; 0 while there is none. */
  revision: number;
  /** Where it can be opened, as the classroom told; null where it did not. */
  addresses: { recording: string | null; transcript: string | null; summary: string | null };
  /** What of it came as text and is kept. */
  texts: readonly TextPart[];
  /** Whether the classroom said that there is a transcript and a summary. */
  transcript: boolean;
};

/** What a course knows about recordings. */
export type CourseRecordings = {
  /** The latest first. */
  recordings: CourseRecording[];
  spaces: CourseSpace[];
  /** Sessions of the course with a time, the latest first; those a recording may be placed in. */
  sessions: RecordedSession[];
  /** Sessions that have ended and of which no recording has come, the latest first. */
  awaited: (AwaitedRecording & { session: SessionOfRecording<RecordedSession> })[];
};

/** More recordings, ends and sessions than these are not looked at; the latest ones are. */
const most = 1_000;
const mostSessions = 2_000;
const hour = 3_600_000;
const day = 24 * hour;
/** So long it is told that no recording came (ms). */
const toldFor = 7 * day;

/** All recordings of a course, whatever was decided about them. */
export async function listRecordings(deps: ListRecordingsDeps, course: Course): Promise<CourseRecordings> {
  const spaces = await spacesOfCourse(deps, course);
  return recordingsIn(deps, course, spaces, await toldOf(deps, course, spaces));
}

/** As `listRecordings`, the recordings alone: where the classroom told of none, nothing else is read. */
export async function listOnlyRecordings(
  deps: ListRecordingsDeps,
  course: Course,
): Promise<CourseRecording[]> {
  const spaces = await spacesOfCourse(deps, course);
  const found = await toldOf(deps, course, spaces);
  return found.length === 0 ? [] : (await recordingsIn(deps, course, spaces, found)).recordings;
}

/** What the classroom told of recordings in some Spaces. */
function toldOf(
  { recordings }: Pick<ListRecordingsDeps, "recordings">,
  { environment }: Course,
  spaces: readonly CourseSpace[],
): Promise<SpaceRecording[]> {
  const ids = spaces.map(({ spaceId }) => spaceId);
  return recordings.listOfSpaces(environment, ids, most);
}

async function recordingsIn(
  deps: ListRecordingsDeps,
  course: Course,
  spaces: CourseSpace[],
  found: readonly SpaceRecording[],
): Promise<CourseRecordings> {
  const { environment, registrationId } = course;
  const ids = spaces.map(({ spaceId }) => spaceId);
  const [ends, decisions, events, plans] = await Promise.all([
    deps.sessionEnds.listOfSpaces(environment, ids, most),
    deps.recordingDecisions.listOfCourse(registrationId, course.id, environment),
    deps.events.listOfCourse(course.id, mostSessions),
    deps.sessionPlans.listOfCourse(course.id, mostSessions),
  ]);
  const planOf = new Map(plans.map((plan) => [plan.eventId, plan]));
  const ours = events.flatMap((event) => dated(event, planOf.get(event.eventId) ?? null));
  const decisionOf = new Map(decisions.map((decision) => [decision.recordingId, decision]));
  const moments = [...found.map(recordingMoment), ...ends.map(({ endedAt }) => endedAt)];
  const inSpace = await sessionsInSpaces(deps, course, spaces, Math.min(...moments) - day);
  const { expectedMinutes, givenUpMinutes } = deps.recordingSettings;
  /** The session of a recording; null when it is not ours. */
  const sessionFor = (recording: SpaceRecording): SessionOfRecording<HeldSession> | null => {
    const { spaceId } = recording;
    const claim = spaces.find((space) => space.spaceId === spaceId)?.claim ?? "shared";
    const there = ours.filter((session) => session.spaceId === null || session.spaceId === spaceId);
    const itsEnds = ends.filter((end) => end.spaceId === spaceId);
    const lag = expectedMinutes * 3 * 60_000;
    const session = sessionOfRecording(recording, [...there, ...(inSpace.get(spaceId) ?? [])], itsEnds, lag);
    return isOurs(session, claim) ? onlyOurs(session) : null;
  };
  const recordings = found.flatMap((recording) => {
    const byTime = sessionFor(recording);
    const decision = decisionOf.get(recording.recordingId) ?? undecided;
    return byTime === null ? [] : [courseRecording(recording, decision, { byTime, ours })];
  });
  const times = { givenUpMs: givenUpMinutes * 60_000, toldForMs: toldFor };
  const awaited = spaces.flatMap(({ spaceId }) =>
    awaitedRecordings(
      ends.filter((end) => end.spaceId === spaceId),
      found.filter((recording) => recording.spaceId === spaceId),
      times,
      deps.clock.now(),
    ).flatMap((each) => {
      const session = sessionFor(asRecording(each.end));
      return session === null ? [] : [{ ...each, session }];
    }),
  );
  return {
    recordings: recordings.sort((one, other) => other.at - one.at),
    spaces,
    sessions: [...ours].sort((one, other) => other.startsAt - one.startsAt),
    awaited: awaited.sort((one, other) => other.end.endedAt - one.end.endedAt),
  };
}

/** The recording that an ended session would have, for its time. */
function asRecording({ environment, spaceId, sessionId, endedAt }: SessionEnd): SpaceRecording {
  const name = { environment, spaceId, sessionId, recordingId: "" };
  return { ...nothingTold, ...name, firstSeenAt: endedAt };
}

type HeldSession = RecordedSession & { spaceId: string | null; ours: boolean };

function dated(event: ClassroomEvent, plan: Parameters<typeof sessionOf>[1], ours = true): HeldSession[] {
  if (event.startsAt === null || event.cancelled) return [];
  const { eventId, startsAt, endsAt, spaceId } = event;
  const { title, sectionIds } = sessionOf(event, plan);
  return [{ eventId, startsAt, endsAt: endsAt ?? startsAt + hour, spaceId, title, sectionIds, ours }];
}

/** Sessions of other courses in the same Spaces since a moment (ms). */
async function sessionsInSpaces(
  deps: Pick<ListRecordingsDeps, "events">,
  course: Course,
  spaces: readonly CourseSpace[],
  since: number,
): Promise<Map<string, HeldSession[]>> {
  // Nothing to be held against them.
  if (since === Infinity) return new Map();
  const found = await Promise.all(
    spaces.map(async ({ spaceId }): Promise<[string, HeldSession[]]> => {
      const events = await deps.events.listInSpace(course.environment, spaceId, since);
      const others = events.filter(({ courseId }) => courseId !== course.id);
      return [spaceId, others.flatMap((event) => dated(event, null, false))];
    }),
  );
  return new Map(found);
}

/** In a shared Space only what can be nobody else's is ours; in our own all that is not certainly another course's. */
function isOurs(session: SessionOfRecording<HeldSession>, claim: CourseSpace["claim"]): boolean {
  if (session.kind === "none") return claim === "own";
  const sessions = session.kind === "one" ? [session.session] : session.sessions;
  return claim === "own" ? sessions.some(({ ours }) => ours) : sessions.every(({ ours }) => ours);
}

/** Sessions of other courses are not told about. */
function onlyOurs(session: SessionOfRecording<HeldSession>): SessionOfRecording<HeldSession> {
  if (session.kind !== "several") return session;
  return { kind: "several", sessions: session.sessions.filter(({ ours }) => ours) };
}

type Decided = Pick<RecordingDecision, "shown" | "title" | "placed" | "eventId" | "revision">;

function courseRecording(
  recording: SpaceRecording,
  { shown, title, placed, eventId, revision }: Decided,
  sessions: { byTime: SessionOfRecording<RecordedSession>; ours: readonly RecordedSession[] },
): CourseRecording {
  const { recordingId, spaceId, url, transcriptUrl, summaryUrl, transcriptLength, summaryLength } = recording;
  const chosen = sessions.ours.find((one) => one.eventId === eventId);
  const bySay: SessionOfRecording<RecordedSession> =
    chosen === undefined ? { kind: "none" } : { kind: "one", session: chosen };
  return {
    recordingId,
    spaceId,
    state: recordingState(recording),
    at: recordingMoment(recording),
    firstSeenAt: recording.firstSeenAt,
    title: title ?? recording.title,
    ownTitle: title,
    durationSeconds: recording.durationSeconds,
    session: placed ? bySay : sessions.byTime,
    placed,
    shown,
    revision,
    addresses: { recording: url, transcript: transcriptUrl, summary: summaryUrl },
    texts: [
      ...(transcriptLength === null ? [] : (["transcript"] as const)),
      ...(summaryLength === null ? [] : (["summary"] as const)),
    ],
    transcript: recording.transcriptAt !== null || transcriptUrl !== null || transcriptLength !== null,
  };
}
