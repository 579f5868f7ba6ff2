import type { AccountId } from "../../../domain/account.ts";
import { anyOf } from "../../../domain/personal-data.ts";
import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";
import { cutTo, literally } from "../../../kernel/text.ts";

/** What webhooks and the list say about a recording. Rows leave out what is unknown (null in code), so $min keeps the earliest of several times. */
export const spaceRecordingRecord = describeRecord("SpaceRecording", {
  id: null,
  fields: {
    environment: field.textOf<AccountId>(),
    recordingId: field.text,
    spaceId: field.text,
    firstSeenAt: field.number,
    /** The earliest of several messages (ms). */
    availableAt: field.number.optional,
    /** When transcript and summary came (ms). */
    transcriptAt: field.number.optional,
    /** When the classroom withdrew it, or stopped listing it (ms). */
    goneAt: field.number.optional,
    /** By its status in the list. Left out if missing or unknown. */
    listedAs: field.textOf<"processing" | "ready" | "unavailable">().optional,
    /** When the list last had it (ms). */
    listedAt: field.number.optional,
    title: field.text.optional,
    sessionId: field.text.optional,
    startedAt: field.number.optional,
    endedAt: field.number.optional,
    durationSeconds: field.number.optional,
    url: field.text.optional,
    transcriptUrl: field.text.optional,
    summaryUrl: field.text.optional,
    /** The length of the stored texts (UTF-16 units). Left out: none. */
    transcriptLength: field.number.optional,
    summaryLength: field.number.optional,
  },
  indexes: [index("environment", "spaceId", "-firstSeenAt")],
  personalData: {
    key: "recordings",
    holds: "times, titles and addresses of recordings; a title may name people",
    stored: "with the last course of their Space",
  },
});

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

type ReportedFacts = Required<Omit<ItemOf<typeof spaceRecordingRecord>, RecordingNames>>;
type RecordingNames = "environment" | "recordingId" | "spaceId" | "firstSeenAt";
export type SpaceRecording = Pick<ItemOf<typeof spaceRecordingRecord>, RecordingNames> & {
  [Name in keyof ReportedFacts]: ReportedFacts[Name] | null;
};

/** From SESSION_ENDED. */
export const sessionEndRecord = describeRecord("SessionEnd", {
  id: null,
  fields: {
    environment: field.textOf<AccountId>(),
    spaceId: field.text,
    sessionId: field.text,
    /** Milliseconds since the epoch, after processing. The class may have ended earlier. */
    endedAt: field.number,
  },
  indexes: [index("environment", "spaceId", "-endedAt")],
  personalData: {
    key: "sessionEnds",
    holds: "when sessions in a Space ended; no person",
    stored: "with the last course of the Space",
  },
});
export type SessionEnd = ItemOf<typeof sessionEndRecord>;

/** "transcript-only": the recording itself hasn't been announced. */
export type RecordingState = "processing" | "ready" | "transcript-ready" | "transcript-only" | "unavailable";

type ReportedTimes = Pick<
  SpaceRecording,
  "availableAt" | "transcriptAt" | "goneAt" | "listedAs" | "listedAt"
>;

export function recordingState(recording: ReportedTimes): RecordingState {
  if (isGone(recording)) return "unavailable";
  const { availableAt, transcriptAt, listedAs, listedAt } = recording;
  // A listed recording without a status is available, because the list exists for getting recordings.
  const isAvailable = availableAt !== null || (listedAt !== null && listedAs !== "processing");
  if (transcriptAt !== null) return isAvailable ? "transcript-ready" : "transcript-only";
  return isAvailable ? "ready" : "processing";
}

function isGone({ availableAt, transcriptAt, goneAt, listedAs, listedAt }: ReportedTimes): boolean {
  const announced = Math.max(availableAt ?? 0, transcriptAt ?? 0);
  if (goneAt !== null && goneAt >= announced) return true;
  return listedAs === "unavailable" && (listedAt ?? 0) >= announced;
}

export function isReady(state: RecordingState): boolean {
  return state === "ready" || state === "transcript-ready" || state === "transcript-only";
}

/** When it was made, otherwise when it came (ms), for sorting and display. */
export function recordingMoment(recording: SpaceRecording): number {
  const { startedAt, endedAt, availableAt, transcriptAt, firstSeenAt } = recording;
  return startedAt ?? endedAt ?? availableAt ?? transcriptAt ?? firstSeenAt;
}

/** An instructor's decision about a recording. Courses that share a Space decide separately. */
export const recordingDecisionRecord = describeRecord("RecordingDecision", {
  id: null,
  fields: {
    registrationId: field.text,
    courseId: field.text,
    environment: field.textOf<AccountId>(),
    recordingId: field.text,
    /** Null: nobody has decided, so learners don't see it. */
    shown: field.textOf<"published" | "hidden">().orNull,
    /** The title here. Null: the classroom's or the session's. */
    title: field.text.orNull,
    /** Whether an instructor chose the session. If so, `eventId` null means none. */
    placed: field.flag.or(false),
    eventId: field.text.orNull,
    /** Grows with every change, so nobody overwrites what they haven't seen. */
    revision: field.number,
  },
  indexes: [index.unique("registrationId", "courseId", "environment", "recordingId")],
  personalData: {
    key: "recordingDecisions",
    holds: "which recordings are shown, and with which titles; no person",
    stored: "with the course",
  },
});
export type RecordingDecision = ItemOf<typeof recordingDecisionRecord>;

export const undecided = { shown: null, title: null, placed: false, eventId: null, revision: 0 } as const;

export type RecordingDefault = "hidden" | "published";

/**
 * When to read a Space's list next: once recordings of its latest sessions can be expected, and before they are given up. For classrooms
 * without webhooks about recordings. @param ends Ends of sessions without a recording (ms). @returns milliseconds since the epoch, or null if
 * nothing is expected.
 */
export function nextReadAt(
  ends: readonly number[],
  { expectedMs, givenUpMs }: { expectedMs: number; givenUpMs: number },
  now: number,
): number | null {
  const looks = ends
    .flatMap((endedAt) => [endedAt + expectedMs, endedAt + givenUpMs])
    .filter((at) => at > now);
  return looks.length === 0 ? null : Math.min(...looks);
}

export type TextPart = "transcript" | "summary";

/** Plain text, never HTML. */
export type RecordingText = {
  text: string;
  /** Whether the classroom's text is longer. */
  cut: boolean;
};

/** Longer texts are cut (UTF-16 units). This is about ten hours of speech. */
export const maxTextLength = 500_000;

/** Normalizes line ends, removes control characters, and cuts at a whole character. */
export function storedText(text: string): RecordingText {
  const plain = text
    .normalize("NFC")
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{C}\n\t\p{Cf}]/gu, "")
    .trim();
  if (plain.length <= maxTextLength) return { text: plain, cut: false };
  return { text: cutTo(plain, maxTextLength), cut: true };
}

const takenOut = "…";

/**
 * Removes names from a text. A name of several words, or in a script without spaces between words, is removed everywhere. Any other single
 * word only as a whole word in the same case: "Will" goes, "will" and "Willow" stay.
 */
export function withoutNames(text: string, names: readonly string[]): string {
  return names
    .map((name) => name.normalize("NFC").trim())
    .filter((name) => name.length > 1)
    .sort((one, other) => other.length - one.length)
    .reduce((left, name) => left.replace(asRegExp(name), takenOut), text);
}

/** Scripts without spaces between words. In Korean, endings directly follow a name. */
const withoutSpaces =
  /[\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;

function asRegExp(name: string): RegExp {
  const plain = literally(name);
  if (withoutSpaces.test(name)) return new RegExp(plain.replace(/\s+/g, "\\s*"), "gu");
  if (/\s/.test(name)) return new RegExp(plain.replace(/\s+/g, "\\s+"), "giu");
  return new RegExp(`(?<![\\p{L}\\p{N}])${plain}(?![\\p{L}\\p{N}])`, "gu");
}

export const recordingRuleRecord = describeRecord("RecordingRule", {
  id: null,
  fields: {
    choice: field.textOf<RecordingDefault>(),
    /** The rule covers recordings known since then (ms). */
    since: field.number,
    revision: field.number,
  },
  hidden: { registrationId: field.text },
  personalData: {
    key: "recordingRules",
    holds: "whether new recordings are published automatically; no person",
    stored: "with the course",
    ofCourses: (_registrationId, courseIds) => ({ _id: anyOf(courseIds) }),
  },
});

export const recordingTextRecord = describeRecord("RecordingText", {
  id: null,
  fields: {
    environment: field.textOf<AccountId>(),
    recordingId: field.text,
    spaceId: field.text,
    part: field.textOf<TextPart>(),
    text: field.text.or(""),
    cut: field.flag,
    /** Digest of the original text, so an unchanged text isn't written again. */
    digest: field.text,
    /** Names of erased people were removed. No newer text replaces it, because that would restore them. */
    redacted: field.flag,
  },
  indexes: [index("environment", "spaceId", "_id")],
  personalData: {
    key: "recordingTexts",
    holds: "transcripts and summaries sent as text: what people said in a class, with names",
    stored:
      "until the classroom drops the recording, or with the last course of the Space; an erased person's names are taken out",
  },
});

export const recordingsRecords = [
  recordingDecisionRecord,
  recordingRuleRecord,
  recordingTextRecord,
  sessionEndRecord,
  spaceRecordingRecord,
];
