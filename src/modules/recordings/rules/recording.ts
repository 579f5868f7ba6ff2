import { describeRecord, unique, type ItemOf, index } from "../../../domain/record.ts";
import { text, textOf, flag, number } from "../../../domain/record-fields.ts";
import type { EnvironmentName } from "../../../domain/registration.ts";

/** What the classroom has told about one recording of a Space, by webhooks and in its list; null is "not told". */
export type SpaceRecording = {
  environment: EnvironmentName;
  recordingId: string;
  spaceId: string;
  /** When it became available (ms). Of several messages the earliest holds. */
  availableAt: number | null;
  /** When its transcript and summary became available (ms). */
  transcriptAt: number | null;
  /** When the classroom said that it cannot be had, or stopped listing it (ms). */
  goneAt: number | null;
  /** What its status in the list means; null when the list tells none, or one that nobody knows. */
  listedAs: "processing" | "ready" | "unavailable" | null;
  /** When the classroom's list named it last (ms); null when it never did. */
  listedAt: number | null;
  title: string | null;
  /** The classroom's session it was made in. */
  sessionId: string | null;
  startedAt: number | null;
  endedAt: number | null;
  durationSeconds: number | null;
  url: string | null;
  transcriptUrl: string | null;
  summaryUrl: string | null;
  /** How long the texts are that are kept of it (UTF-16 units); null: none came as text. */
  transcriptLength: number | null;
  summaryLength: number | null;
  /** When we heard of it first (ms). */
  firstSeenAt: number;
};

/** What is not known of a recording of which nothing was told. */
export const nothingTold = {
  availableAt: null,
  transcriptAt: null,
  goneAt: null,
  listedAs: null,
  listedAt: null,
  title: null,
  sessionId: null,
  startedAt: null,
  endedAt: null,
  durationSeconds: null,
  url: null,
  transcriptUrl: null,
  summaryUrl: null,
  transcriptLength: null,
  summaryLength: null,
} as const;

/** The end of one session of a Space, as the SESSION_ENDED webhook tells it. */
export const sessionEndRecord = describeRecord("SessionEnd", {
  id: null,
  fields: {
    environment: textOf<EnvironmentName>(),
    spaceId: text,
    sessionId: text,
    /** Milliseconds since the epoch. Told once the classroom has worked it up, so the class may have ended earlier. */
    endedAt: number,
  },
  indexes: [index("environment", "spaceId", "-endedAt")],
  held: {
    key: "sessionEnds",
    holds: "when sessions of a Space ended; no person",
    kept: "with the last course of the Space",
  },
});
export type SessionEnd = ItemOf<typeof sessionEndRecord>;

/** How far a recording is. "transcript-only": the transcript has been announced, the recording itself not yet. */
export type RecordingState = "processing" | "ready" | "transcript-ready" | "transcript-only" | "unavailable";

type Told = Pick<SpaceRecording, "availableAt" | "transcriptAt" | "goneAt" | "listedAs" | "listedAt">;

/** How far a recording is, whatever the order of what was told about it. */
export function recordingState(recording: Told): RecordingState {
  if (isGone(recording)) return "unavailable";
  const { availableAt, transcriptAt, listedAs, listedAt } = recording;
  // What is listed without a word about its state can be had: the list is there to get recordings from.
  const isThere = availableAt !== null || (listedAt !== null && listedAs !== "processing");
  if (transcriptAt !== null) return isThere ? "transcript-ready" : "transcript-only";
  return isThere ? "ready" : "processing";
}

/** Whether the last that was told is that it cannot be had. */
function isGone({ availableAt, transcriptAt, goneAt, listedAs, listedAt }: Told): boolean {
  const announced = Math.max(availableAt ?? 0, transcriptAt ?? 0);
  if (goneAt !== null && goneAt >= announced) return true;
  return listedAs === "unavailable" && (listedAt ?? 0) >= announced;
}

/** Whether there is something to watch or read. */
export function isReady(state: RecordingState): boolean {
  return state === "ready" || state === "transcript-ready" || state === "transcript-only";
}

/** The moment by which a recording is sorted and dated (ms): when it was made, else when it came. */
export function recordingMoment(recording: SpaceRecording): number {
  const { startedAt, endedAt, availableAt, transcriptAt, firstSeenAt } = recording;
  return startedAt ?? endedAt ?? availableAt ?? transcriptAt ?? firstSeenAt;
}

/**
 * What an instructor decided about a recording in their course. A Space may serve several courses, and each decides for
 * itself.
 */
export const recordingDecisionRecord = describeRecord("RecordingDecision", {
  id: null,
  fields: {
    registrationId: text,
    courseId: text,
    environment: textOf<EnvironmentName>(),
    recordingId: text,
    /** Null: nobody decided, and it was not published by itself; learners do not see it. */
    shown: textOf<"published" | "hidden">().orNull,
    /** What it is called here; null: as the classroom calls it, or by its session. */
    title: text.orNull,
    /** Whether an instructor said which session it belongs to; `eventId` null then means to none. */
    placed: flag.or(false),
    eventId: text.orNull,
    /** Grows with every change, so that nobody overwrites what they have not seen. */
    revision: number,
  },
  indexes: [unique("registrationId", "courseId", "environment", "recordingId")],
  held: {
    key: "recordingDecisions",
    holds: "which recordings are shown, and under which titles; no person",
    kept: "with the course",
  },
});
export type RecordingDecision = ItemOf<typeof recordingDecisionRecord>;

/** What nobody has said anything about. */
export const undecided = { shown: null, title: null, placed: false, eventId: null, revision: 0 } as const;

/** What happens to new recordings of a course by itself. */
export type RecordingDefault = "hidden" | "published";
