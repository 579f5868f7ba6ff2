import { within } from "./places-within.ts";

/** What is not shown about recordings beside the operation that lists them. */
export type RecordingSettings = {
  /**
   * Values of `eventType` of SPACE_RECORDING webhooks, compared without regard to case. What contains "TRANSCRIPT" is
   * taken for a transcript, too; everything else is kept and not acted on (part 6.4).
   */
  events: Record<"available" | "transcript" | "unavailable", string[]>;
  /** How long after a session its recording normally takes (part 8: about an hour). */
  expectedMinutes: number;
  /** How long after a session it is said that no recording came. */
  givenUpMinutes: number;
  /**
   * Whether a recording's address needs a login of the classroom's: "authorize" asks for one with the address as
   * redirectUrl where it lies within the app, and goes to the plain address where that is refused.
   */
  open: "plain" | "authorize";
  /** Origins besides the environment's app URL where recordings are kept; before any other one people are asked. */
  origins: string[];
  /** Whether the list is certainly of the Space that was asked for, also where its entries do not say so. */
  listIsOfSpace: boolean;
};

/** What is taken for granted about recordings unless a file says otherwise. */
export const recordingSettings: RecordingSettings = {
  events: {
    available: ["RECORDING_AVAILABLE"],
    transcript: ["TRANSCRIPT_AVAILABLE", "TRANSCRIPTION_AVAILABLE", "SUMMARY_AVAILABLE"],
    unavailable: ["RECORDING_UNAVAILABLE", "RECORDING_DELETED", "RECORDING_REMOVED", "RECORDING_FAILED"],
  },
  expectedMinutes: 60,
  givenUpMinutes: 360,
  open: "plain",
  origins: [],
  listIsOfSpace: false,
};

/** Where the reply of the operation that lists recordings may have what, and what its statuses mean. */
export const recordingList = {
  // The list may also be anywhere else in the reply (read-recordings.ts).
  reply: {
    items: ["recordings", "items", "results", "data", ""],
    recordingId: within(["recording"], ["recordingId", "id", "_id"]),
    spaceId: ["spaceId", "space.spaceId", "space.id", "space._id"],
    sessionId: ["sessionId", "session.sessionId", "session.id"],
    status: within(["recording"], ["status", "state", "recordingStatus"]),
    url: within(
      ["recording"],
      ["url", "recordingUrl", "playbackUrl", "videoUrl", "viewUrl", "link", "downloadUrl", "fileUrl"],
    ),
    title: within(["recording"], ["title", "name", "recordingName", "topic"]),
    startedAt: within(["recording"], ["startedAt", "recordedAt", "startTime", "startAt", "start"]),
    endedAt: within(["recording"], ["endedAt", "endTime", "endAt", "end"]),
    durationSeconds: within(["recording"], ["durationSeconds", "durationInSeconds", "duration", "length"]),
    durationMilliseconds: within(["recording"], ["durationMs", "durationMilliseconds", "durationMillis"]),
    publishedAt: ["publishedAt", "availableAt", "createdAt", "created", "timestamp"],
    transcriptUrl: [
      "transcriptUrl",
      "transcriptionUrl",
      "transcript.url",
      "transcript.downloadUrl",
      "transcript.link",
      "transcript",
    ],
    summaryUrl: ["summaryUrl", "summary.url", "summary.downloadUrl", "summary.link", "summary"],
    // Read where no address is told: a text, or a list of texts or of what was said one after another.
    transcriptText: [
      "transcriptText",
      "transcript.segments",
      "transcript.entries",
      "transcript",
      "transcript.text",
      "transcript.content",
      "transcription",
      "transcription.text",
    ],
    summaryText: ["summaryText", "summary", "summary.text", "summary.content", "summary.points"],
    segmentText: ["text", "content", "caption", "sentence", "words"],
    segmentSpeaker: ["speaker.name", "speakerName", "speaker", "participant.name", "user.name", "name"],
  },
  values: {
    processing: ["PROCESSING", "PENDING", "QUEUED", "UPLOADING", "RECORDING", "IN_PROGRESS"],
    ready: ["READY", "AVAILABLE", "COMPLETED", "COMPLETE", "DONE", "PROCESSED", "PUBLISHED"],
    unavailable: ["UNAVAILABLE", "FAILED", "ERROR", "DELETED", "REMOVED", "EXPIRED", "ARCHIVED"],
  },
};
