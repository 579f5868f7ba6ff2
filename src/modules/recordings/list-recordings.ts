import type { App } from "../../app.ts";
import { type ClassroomEvent, assumedLengthMs } from "../../domain/classroom-event.ts";
import type { Course, Member } from "../../domain/course.ts";
import { byKey } from "../../kernel/lists.ts";
import { dayMs, weekMs } from "../../kernel/clock.ts";
import { eventsWithPlans, isForMember, sessionOf } from "../scheduling/list-sessions.ts";
import { type CourseSpace, spacesOfCourse } from "./recording-readings.ts";
import {
  awaitedRecordings,
  type DatedSession,
  type SessionOfRecording,
  sessionOfRecording,
} from "./rules/recording-session.ts";
import {
  isReady,
  nothingReported,
  type RecordingDecision,
  recordingMoment,
  recordingState,
  type SessionEnd,
  type SpaceRecording,
  undecided,
} from "./rules/recording.ts";

export type RecordingsApp = Pick<App, "courses" | "courseLinks" | "events" | "sessionPlans" | "clock"> &
  Pick<App, "recordings" | "recordingDecisions" | "sessionEnds" | "recordingSettingsOf">;

export type RecordedSession = DatedSession & {
  title: string | null;
  /** The LMS's ids. Empty for the whole course. */
  sectionIds: readonly string[];
};

export type CourseRecording = ReturnType<typeof courseRecording>;
export type CourseRecordings = Awaited<ReturnType<typeof recordingsIn>>;

const maxRecordings = 1_000;
/** How long a missing recording is shown (ms). */
const missingForMs = weekMs;

export async function listRecordings(app: RecordingsApp, course: Course) {
  const spaces = await spacesOfCourse(app, course);
  return recordingsIn(app, course, spaces, await listedRecordings(app, course, spaces));
}

function listedRecordings(
  { recordings }: Pick<App, "recordings">,
  { environment }: Course,
  spaces: readonly CourseSpace[],
): Promise<SpaceRecording[]> {
  const ids = spaces.map(({ spaceId }) => spaceId);
  return recordings.listOfSpaces(environment, ids, maxRecordings);
}

async function recordingsIn(
  app: RecordingsApp,
  course: Course,
  spaces: CourseSpace[],
  found: readonly SpaceRecording[],
) {
  const { environment, registrationId } = course;
  const ids = spaces.map(({ spaceId }) => spaceId);
  const [ends, decisions, events] = await Promise.all([
    app.sessionEnds.listOfSpaces(environment, ids, maxRecordings),
    app.recordingDecisions.listOfCourse(registrationId, course.id, environment),
    eventsWithPlans(app, course),
  ]);
  const ours = events.flatMap(({ event, plan }) => dated(event, plan));
  // Cancelled sessions count, too, because a section's recording stays the section's.
  const hasSections = events.some(({ event, plan }) => sessionOf(event, plan).sectionIds.length > 0);
  const decisionOf = byKey(decisions, ({ recordingId }) => recordingId);
  const moments = [...found.map(recordingMoment), ...ends.map(({ endedAt }) => endedAt)];
  const inSpace = await sessionsInSpaces(app, course, spaces, Math.min(...moments) - dayMs);
  const { expectedMinutes, givenUpMinutes } = app.recordingSettingsOf(environment);
  /** Null if it isn't ours. */
  const sessionFor = (recording: SpaceRecording): SessionOfRecording<SpaceSession> | null => {
    const { spaceId } = recording;
    const claim = spaces.find((space) => space.spaceId === spaceId)?.claim ?? "shared";
    const ofSpace = ours.filter((session) => session.spaceId === null || session.spaceId === spaceId);
    const itsEnds = ends.filter((end) => end.spaceId === spaceId);
    const lag = expectedMinutes * 3 * 60_000;
    const session = sessionOfRecording(
      recording,
      [...ofSpace, ...(inSpace.get(spaceId) ?? [])],
      itsEnds,
      lag,
    );
    return isOurs(session, claim) ? onlyOurs(session) : null;
  };
  const recordings = found.flatMap((recording) => {
    const byTime = sessionFor(recording);
    const decision = decisionOf.get(recording.recordingId) ?? undecided;
    return byTime === null ? [] : [courseRecording(recording, decision, { byTime, ours, hasSections })];
  });
  const times = { givenUpMs: givenUpMinutes * 60_000, missingForMs };
  const awaited = spaces.flatMap(({ spaceId }) =>
    awaitedRecordings(
      ends.filter((end) => end.spaceId === spaceId),
      found.filter((recording) => recording.spaceId === spaceId),
      times,
      app.clock.now(),
    ).flatMap((each) => {
      const session = sessionFor(asRecording(each.end));
      return session === null ? [] : [{ ...each, session }];
    }),
  );
  return {
    recordings: recordings.sort((one, other) => other.at - one.at),
    spaces,
    sessions: [...ours].sort((one, other) => other.startsAt - one.startsAt),
    /** Ended sessions without a recording, latest first. */
    awaited: awaited.sort((one, other) => other.end.endedAt - one.end.endedAt),
  };
}

function asRecording({ environment, spaceId, sessionId, endedAt }: SessionEnd): SpaceRecording {
  const name = { environment, spaceId, sessionId, recordingId: "" };
  return { ...nothingReported, ...name, firstSeenAt: endedAt };
}

type SpaceSession = RecordedSession & { spaceId: string | null; ours: boolean };

function dated(event: ClassroomEvent, plan: Parameters<typeof sessionOf>[1], ours = true): SpaceSession[] {
  if (event.startsAt === null || event.cancelled) return [];
  const { eventId, startsAt, endsAt, spaceId } = event;
  const { title, sectionIds } = sessionOf(event, plan);
  return [
    { eventId, startsAt, endsAt: endsAt ?? startsAt + assumedLengthMs, spaceId, title, sectionIds, ours },
  ];
}

/** Sessions of other courses, since a moment (ms). */
async function sessionsInSpaces(
  app: Pick<App, "events">,
  course: Course,
  spaces: readonly CourseSpace[],
  since: number,
): Promise<Map<string, SpaceSession[]>> {
  // There are no recordings to compare.
  if (since === Infinity) return new Map();
  const found = await Promise.all(
    spaces.map(async ({ spaceId }): Promise<[string, SpaceSession[]]> => {
      const events = await app.events.listInSpace(course.environment, spaceId, since);
      const others = events.filter(({ courseId }) => courseId !== course.id);
      return [spaceId, others.flatMap((event) => dated(event, null, false))];
    }),
  );
  return new Map(found);
}

/** In a shared Space, only what is certainly ours. In our own Space, everything except what is certainly another course's. */
function isOurs(session: SessionOfRecording<SpaceSession>, claim: CourseSpace["claim"]): boolean {
  if (session.kind === "none") return claim === "own";
  const sessions = session.kind === "one" ? [session.session] : session.sessions;
  return claim === "own" ? sessions.some(({ ours }) => ours) : sessions.every(({ ours }) => ours);
}

function onlyOurs(session: SessionOfRecording<SpaceSession>): SessionOfRecording<SpaceSession> {
  if (session.kind !== "several") return session;
  return { kind: "several", sessions: session.sessions.filter(({ ours }) => ours) };
}

function courseRecording(
  recording: SpaceRecording,
  decision: Pick<RecordingDecision, "shown" | "title" | "placed" | "eventId" | "revision">,
  sessions: {
    byTime: SessionOfRecording<RecordedSession>;
    ours: readonly RecordedSession[];
    hasSections: boolean;
  },
) {
  const { shown, title, placed, eventId, revision } = decision;
  const { recordingId, spaceId, url, transcriptUrl, summaryUrl, transcriptLength, summaryLength } = recording;
  const chosen = sessions.ours.find((one) => one.eventId === eventId);
  const bySay: SessionOfRecording<RecordedSession> =
    chosen === undefined ? { kind: "none" } : { kind: "one", session: chosen };
  const session = placed ? bySay : sessions.byTime;
  return {
    recordingId,
    spaceId,
    state: recordingState(recording),
    /** When it was made, otherwise when it came (ms). */
    at: recordingMoment(recording),
    firstSeenAt: recording.firstSeenAt,
    title: title ?? recording.title,
    ownTitle: title,
    durationSeconds: recording.durationSeconds,
    session,
    placed,
    /** Its session is unknown or cancelled, and some are for sections only, so learners see it only once an instructor has decided. */
    mayBeForSome: session.kind === "none" && (!placed || eventId !== null) && sessions.hasSections,
    shown,
    revision,
    /** Where it opens in the classroom. Null if unknown. */
    addresses: { recording: url, transcript: transcriptUrl, summary: summaryUrl },
    texts: [
      ...(transcriptLength === null ? [] : (["transcript"] as const)),
      ...(summaryLength === null ? [] : (["summary"] as const)),
    ],
    /** Whether the classroom announced a transcript and a summary. */
    transcript: recording.transcriptAt !== null || transcriptUrl !== null || transcriptLength !== null,
  };
}

/**
 * Published recordings of sessions for this member, latest first. If several sessions are possible, all of them must be for the member.
 * Instructors get everything that learners of some section see.
 */
export async function listPublished(
  app: RecordingsApp,
  course: Course,
  member: Pick<Member, "role" | "sectionIds" | "sectionsTold">,
): Promise<CourseRecording[]> {
  return (await listFound(app, course)).filter((recording) => isPublishedFor(recording, member));
}

async function listFound(app: RecordingsApp, course: Course): Promise<CourseRecording[]> {
  const spaces = await spacesOfCourse(app, course);
  const found = await listedRecordings(app, course, spaces);
  // Usually there are none, and then nothing else is read.
  return found.length === 0 ? [] : (await recordingsIn(app, course, spaces, found)).recordings;
}

export function isPublishedFor(
  { shown, session, mayBeForSome }: Pick<CourseRecording, "shown" | "session" | "mayBeForSome">,
  member: Pick<Member, "role" | "sectionIds" | "sectionsTold">,
): boolean {
  if (shown !== "published") return false;
  switch (session.kind) {
    case "none":
      return !mayBeForSome || member.role === "instructor";
    case "one":
      return isForMember(session.session, member);
    case "several":
      return session.sessions.every((each) => isForMember(each, member));
  }
}

/** Ready recordings that nobody has decided about, the latest first. */
export async function listReady(app: RecordingsApp, course: Course): Promise<CourseRecording[]> {
  return (await listFound(app, course)).filter(({ state, shown }) => shown === null && isReady(state));
}
