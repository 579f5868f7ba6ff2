import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import { type ItemOf, readerOf, type RowOf } from "../../../domain/record.ts";
import { shortDigest } from "../../../kernel/ids.ts";
import {
  storedText,
  nothingReported,
  type RecordingDecision,
  recordingDecisionRecord,
  recordingRuleRecord,
  type RecordingText,
  recordingTextRecord,
  type SessionEnd,
  sessionEndRecord,
  type SpaceRecording,
  spaceRecordingRecord,
  type TextPart,
  undecided,
} from "../rules/recording.ts";
import { openRecords } from "../../../storage/records.ts";

type RecordingName = Pick<SpaceRecording, "environment" | "recordingId" | "spaceId">;

export type ListedRecording = Pick<
  SpaceRecording,
  "recordingId" | "listedAs" | "title" | "sessionId" | "url"
> &
  Pick<SpaceRecording, "startedAt" | "endedAt" | "durationSeconds"> &
  Pick<SpaceRecording, "transcriptUrl" | "summaryUrl" | "transcriptLength" | "summaryLength"> & {
    /** As the list says. Null if unknown. */
    availableAt: number | null;
  };

export function createRecordingStore(connection: Connection) {
  const records = openRecords(connection, spaceRecordingRecord);
  const idOf = ({ environment, recordingId }: Pick<RecordingName, "environment" | "recordingId">) =>
    `${environment}:${recordingId}`;

  return {
    find: async (environment: AccountId, recordingId: string): Promise<SpaceRecording | null> => {
      const row = await records.row({ _id: idOf({ environment, recordingId }) });
      return row === null ? null : toRecording(row);
    },
    listOfSpaces: async (environment: AccountId, spaceIds: readonly string[], limit: number) => {
      const of = { environment, spaceId: { $in: spaceIds } };
      return (await records.rows(of, { sort: { firstSeenAt: -1 }, limit })).map(toRecording);
    },
    /** Stores a webhook's facts. Repeatable, and without effect after later ones. @param times What happened, and when (ms). */
    note: async (
      name: RecordingName,
      times: Partial<Record<"availableAt" | "transcriptAt" | "goneAt", number>>,
      now: number,
    ): Promise<void> => {
      const { spaceId, ...key } = name;
      const { goneAt, ...earliest } = times;
      const _id = idOf(name);
      await records.save(
        { _id },
        {
          $set: { spaceId },
          $setOnInsert: { _id, ...key, firstSeenAt: now },
          ...(Object.keys(earliest).length === 0 ? {} : { $min: earliest }),
          ...(goneAt === undefined ? {} : { $max: { goneAt } }),
        },
      );
    },
    /** Replaces what an earlier list said with the list read at `readAt`. The webhooks' facts stay. */
    keepListed: async (
      space: Pick<RecordingName, "environment" | "spaceId">,
      listed: ListedRecording,
      readAt: number,
    ): Promise<void> => {
      const { environment, spaceId } = space;
      const { recordingId, availableAt, ...facts } = listed;
      const _id = idOf({ environment, recordingId });
      const known = Object.entries(facts).filter(([, value]) => value !== null);
      const unknown = Object.entries(facts).filter(([, value]) => value === null);
      await records.save(
        { _id },
        {
          $set: { spaceId, listedAt: readAt, ...Object.fromEntries(known) },
          $setOnInsert: { _id, environment, recordingId, firstSeenAt: readAt },
          ...(availableAt === null ? {} : { $min: { availableAt } }),
          ...(unknown.length === 0
            ? {}
            : { $unset: Object.fromEntries(unknown.map(([name]) => [name, ""])) }),
        },
      );
      if (listed.listedAs !== "unavailable")
        await records.change({ _id, goneAt: { $lte: readAt } }, { $unset: { goneAt: "" } });
    },
    forgetTexts: async ({ environment, recordingId }: Omit<RecordingName, "spaceId">): Promise<void> => {
      const _id = idOf({ environment, recordingId });
      await records.change({ _id }, { $unset: { transcriptLength: "", summaryLength: "" } });
    },
    /** Marks recordings missing from the complete list whose reading began at `since` (ms). */
    markMissing: async (
      { environment, spaceId }: Pick<RecordingName, "environment" | "spaceId">,
      since: number,
    ): Promise<void> => {
      const unlisted = { environment, spaceId, listedAt: { $lt: since }, goneAt: null };
      await records.changeAll(unlisted, { $set: { goneAt: since } });
    },
  };
}

const readRecording = readerOf(spaceRecordingRecord);

function toRecording(row: RowOf<typeof spaceRecordingRecord>): SpaceRecording {
  return { ...nothingReported, ...readRecording(row) };
}

type TextName = { environment: AccountId; recordingId: string; part: TextPart };

/** One record per account, recording and part, separate from the recordings so their lists stay small. */
export function createRecordingTextStore(connection: Connection) {
  const records = openRecords(connection, recordingTextRecord);
  const idOf = ({ environment, recordingId, part }: TextName) => `${environment}:${recordingId}:${part}`;

  return {
    find: async (name: TextName): Promise<RecordingText | null> => {
      const row = await records.row({ _id: idOf(name) });
      return row === null || row.text === "" ? null : { text: row.text, cut: row.cut };
    },
    /** @returns the stored length (UTF-16 units), or null for nothing. */
    keep: async (name: TextName & { spaceId: string }, text: string): Promise<number | null> => {
      const _id = idOf(name);
      const digest = shortDigest(text);
      const row = await records.row({ _id });
      if (row !== null && (row.redacted || row.digest === digest)) return row.text.length || null;
      const stored = { ...storedText(text), digest };
      const first = { _id, ...name, ...stored, redacted: false };
      await records.ensure({ _id }, first);
      await records.change({ _id, redacted: false, digest: { $ne: digest } }, { $set: stored });
      return stored.text.length || null;
    },
    /** Remembers that names were removed, in case the text comes again. */
    remove: async (name: TextName): Promise<void> => {
      const _id = idOf(name);
      await records.remove({ _id, redacted: false });
      await records.change({ _id }, { $set: { text: "" } });
    },
    listOfSpace: async (environment: AccountId, spaceId: string, after: string, limit: number) => {
      const rows = await records.rows(
        { environment, spaceId, _id: { $gt: after } },
        { sort: { _id: 1 }, limit },
      );
      return rows.map(({ _id, text }) => ({ id: _id, text }));
    },
    /** Replaces the text that was seen. @returns false if it has changed since. */
    redact: (id: string, { from, to }: { from: string; to: string }) =>
      records.change({ _id: id, text: from }, { $set: { text: to, redacted: true } }),
  };
}

export type SessionEndStore = ReturnType<typeof createSessionEndStore>;

/** Ends of sessions, one record per account, Space and session. */
export function createSessionEndStore(connection: Connection) {
  const records = openRecords(connection, sessionEndRecord);

  return {
    /** The earliest of several messages counts. */
    note: async ({ endedAt, ...key }: SessionEnd): Promise<void> => {
      const _id = `${key.environment}:${key.spaceId}:${key.sessionId}`;
      await records.save({ _id }, { $setOnInsert: { _id, ...key }, $min: { endedAt } });
    },
    find: async ({ environment, spaceId, sessionId }: Omit<SessionEnd, "endedAt">) => {
      const row = await records.row({ _id: `${environment}:${spaceId}:${sessionId}` });
      return row === null ? null : row.endedAt;
    },
    listOfSpaces: async (environment: AccountId, spaceIds: readonly string[], limit: number) => {
      const of = { environment, spaceId: { $in: spaceIds } };
      return (await records.rows(of, { sort: { endedAt: -1 }, limit })).map(({ _id, ...end }) => end);
    },
  };
}

type RecordingRule = ItemOf<typeof recordingRuleRecord>;

type DecisionKey = Pick<RecordingDecision, "registrationId" | "courseId" | "environment" | "recordingId">;
type DecisionChange = Partial<Pick<RecordingDecision, "shown" | "title" | "placed" | "eventId">>;

/** Decisions, one record per course and recording, and each course's rule for new recordings. */
export function createRecordingDecisionStore(connection: Connection) {
  const records = openRecords(connection, recordingDecisionRecord);

  const rules = openRecords(connection, recordingRuleRecord);
  const idOf = ({ courseId, environment, recordingId }: DecisionKey) =>
    `${courseId}:${environment}:${recordingId}`;

  return {
    find: async (key: DecisionKey): Promise<RecordingDecision> => {
      const row = await records.row({ _id: idOf(key) });
      return row === null ? { ...key, ...undecided } : records.read(row);
    },
    listOfCourse: (registrationId: string, courseId: string, environment: AccountId) =>
      records.list({ registrationId, courseId, environment }, { limit: 5_000 }),
    /** Publishes what nobody has decided about. Repeatable. */
    publishAtOnce: async (key: DecisionKey): Promise<void> => {
      const _id = idOf(key);
      const first = { _id, ...key, ...undecided, shown: "published" as const, revision: 1 };
      await records.ensure({ _id }, first);
    },
    /** @param revision The one seen, or 0. @returns false if it has changed since. */
    change: async (key: DecisionKey, revision: number, to: DecisionChange): Promise<boolean> => {
      const _id = idOf(key);
      if (revision > 0) return records.change({ _id, revision }, { $set: to, $inc: { revision: 1 } });
      return records.insert({ _id, ...key, ...undecided, ...to, revision: 1 });
    },
    ruleOf: async (courseId: string): Promise<RecordingRule> => {
      const row = await rules.row({ _id: courseId });
      if (row === null) return { choice: "hidden", since: 0, revision: 0 };
      const { choice, since, revision } = row;
      return { choice, since, revision };
    },
    /** Like `change`. */
    changeRule: async (
      { registrationId, courseId }: Pick<DecisionKey, "registrationId" | "courseId">,
      revision: number,
      to: Pick<RecordingRule, "choice" | "since">,
    ): Promise<boolean> => {
      if (revision > 0) {
        const seen = { _id: courseId, revision };
        return rules.change(seen, { $set: to, $inc: { revision: 1 } });
      }
      return rules.insert({ _id: courseId, registrationId, ...to, revision: 1 });
    },
  };
}
