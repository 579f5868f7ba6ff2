import { describeRecord, unique, type ItemOf, index } from "../../../domain/record.ts";
import { text, textOf, flag, number } from "../../../domain/record-fields.ts";
import type { AccountId } from "../../../domain/account.ts";

/** What webhooks and the list say about a recording; null is "unknown". */
export type SpaceRecording = {
  environment: AccountId;
  recordingId: string;
  spaceId: string;
  /** The earliest of several messages (ms). */
  availableAt: number | null;
  /** Of transcript and summary (ms). */
  transcriptAt: number | null;
  /** When the classroom withdrew it, or stopped listing it (ms). */
  goneAt: number | null;
  /** By its status in the list; null when missing or unknown. */
  listedAs: "processing" | "ready" | "unavailable" | null;
  /** When the list last had it (ms). */
  listedAt: number | null;
  title: string | null;
  sessionId: string | null;
  startedAt: number | null;
  endedAt: number | null;
  durationSeconds: number | null;
  url: string | null;
  transcriptUrl: string | null;
  summaryUrl: string | null;
  /** Of the kept texts (UTF-16 units); null: none. */
  transcriptLength: number | null;
  summaryLength: number | null;
  /** Milliseconds. */
  firstSeenAt: number;
};

export const nothingReported = {
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

/** From SESSION_ENDED. */
export const sessionEndRecord = describeRecord("SessionEnd", {
  id: null,
  fields: {
    environment: textOf<AccountId>(),
    spaceId: text,
    sessionId: text,
    /** Milliseconds since the epoch, after processing: the class may have ended earlier. */
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

/** "transcript-only": the recording itself has not been announced. */
export type RecordingState = "processing" | "ready" | "transcript-ready" | "transcript-only" | "unavailable";

type ReportedTimes = Pick<
  SpaceRecording,
  "availableAt" | "transcriptAt" | "goneAt" | "listedAs" | "listedAt"
>;

export function recordingState(recording: ReportedTimes): RecordingState {
  if (isGone(recording)) return "unavailable";
  const { availableAt, transcriptAt, listedAs, listedAt } = recording;
  // A listed recording without a status is available: the list exists to get recordings.
  const isThere = availableAt !== null || (listedAt !== null && listedAs !== "processing");
  if (transcriptAt !== null) return isThere ? "transcript-ready" : "transcript-only";
  return isThere ? "ready" : "processing";
}

function isGone({ availableAt, transcriptAt, goneAt, listedAs, listedAt }: ReportedTimes): boolean {
  const announced = Math.max(availableAt ?? 0, transcriptAt ?? 0);
  if (goneAt !== null && goneAt >= announced) return true;
  return listedAs === "unavailable" && (listedAt ?? 0) >= announced;
}

export function isReady(state: RecordingState): boolean {
  return state === "ready" || state === "transcript-ready" || state === "transcript-only";
}

/** When it was made, else when it came (ms); for sorting and display. */
export function recordingMoment(recording: SpaceRecording): number {
  const { startedAt, endedAt, availableAt, transcriptAt, firstSeenAt } = recording;
  return startedAt ?? endedAt ?? availableAt ?? transcriptAt ?? firstSeenAt;
}

/** An instructor's decision about a recording. Courses that share a Space decide separately. */
export const recordingDecisionRecord = describeRecord("RecordingDecision", {
  id: null,
  fields: {
    registrationId: text,
    courseId: text,
    environment: textOf<AccountId>(),
    recordingId: text,
    /** Null: not decided; learners do not see it. */
    shown: textOf<"published" | "hidden">().orNull,
    /** The title here; null: the classroom's or the session's. */
    title: text.orNull,
    /** Whether an instructor chose the session; `eventId` null then means none. */
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

export const undecided = { shown: null, title: null, placed: false, eventId: null, revision: 0 } as const;

export type RecordingDefault = "hidden" | "published";
