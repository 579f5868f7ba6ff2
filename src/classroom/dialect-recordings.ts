import { within } from "./places-within.ts";

/** What is not documented about recordings, beside their list. */
export type RecordingSettings = {
  /** In any case. "TRANSCRIPT" inside is a transcript, too; others are kept without effect (part 6.4). */
  events: Record<"available" | "transcript" | "unavailable", string[]>;
  /** When a recording normally comes after a session (part 8: about an hour). */
  expectedMinutes: number;
  /** When pages say that no recording came. */
  givenUpMinutes: number;
  /**
   * "authorize" asks for a login with the recording's address as redirectUrl where it lies within the app, and falls
   * back to the plain address on refusal.
   */
  open: "plain" | "authorize";
  /** Origins besides the app URL where recordings may be; before any other one people are asked. */
  origins: string[];
  /** Whether the list is certainly of the requested Space, even where entries do not say so. */
  listIsOfSpace: boolean;
};

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
    // Read where no address is given: a text, a list of texts, or a list of utterances.
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
