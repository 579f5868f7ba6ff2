import type { TextPart } from "./recording-text.ts";
import type { AccountId } from "../../../domain/account.ts";
import {
  recordingDecisionRecord,
  type RecordingDefault,
  sessionEndRecord,
  spaceRecordingRecord,
} from "./recording.ts";
import { describeRecord, flag, index, number, text, textOf } from "../../../domain/record.ts";
import { anyOf } from "../../../domain/held-record.ts";

export const recordingRuleRecord = describeRecord("RecordingRule", {
  id: null,
  fields: {
    choice: textOf<RecordingDefault>(),
    /** The rule covers recordings known since then (ms). */
    since: number,
    revision: number,
  },
  hidden: { registrationId: text },
  held: {
    key: "recordingRules",
    holds: "whether new recordings are published by themselves; no person",
    kept: "with the course",
    ofCourses: (_registrationId, courseIds) => ({ _id: anyOf(courseIds) }),
  },
});

export const recordingTextRecord = describeRecord("RecordingText", {
  id: null,
  fields: {
    environment: textOf<AccountId>(),
    recordingId: text,
    spaceId: text,
    part: textOf<TextPart>(),
    text: text.or(""),
    cut: flag,
    /** Of the original text, so that an unchanged one is not written again. */
    digest: text,
    /** Names of erased people were removed: no newer text replaces it, as that would restore them. */
    redacted: flag,
  },
  indexes: [index("environment", "spaceId", "_id")],
  held: {
    key: "recordingTexts",
    holds: "transcripts and summaries that came as text: what was said in a class, and names in it",
    kept: "until the classroom has the recording no more, else with the last course of the Space. Names of an erased person are taken out",
  },
});

export const recordingsRecords = [
  recordingDecisionRecord,
  recordingRuleRecord,
  recordingTextRecord,
  sessionEndRecord,
  spaceRecordingRecord,
];
