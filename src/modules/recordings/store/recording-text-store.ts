import { recordModel } from "../../../storage/record-model.ts";
import { recordingTextRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";
import { keptText, type RecordingText, type TextPart } from "../rules/recording-text.ts";
import type { AccountId } from "../../../domain/account.ts";
import { shortDigest } from "../../../kernel/ids.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

type TextName = { environment: AccountId; recordingId: string; part: TextPart };

export type RecordingTextStore = ReturnType<typeof createRecordingTextStore>;

/** One record for each (environment, recording, part), apart from the recordings so that their lists stay small. */
export function createRecordingTextStore(connection: Connection) {
  const model = recordModel(connection, recordingTextRecord);
  const idOf = ({ environment, recordingId, part }: TextName) => `${environment}:${recordingId}:${part}`;

  return {
    find: async (name: TextName): Promise<RecordingText | null> => {
      const row = await model.findOne({ _id: idOf(name) }).lean();
      return row === null || row.text === "" ? null : { text: row.text, cut: row.cut };
    },
    /** @returns the length kept (UTF-16 units); null for nothing. */
    keep: async (name: TextName & { spaceId: string }, text: string): Promise<number | null> => {
      const _id = idOf(name);
      const digest = shortDigest(text);
      const row = await model.findOne({ _id }).lean();
      if (row !== null && (row.redacted || row.digest === digest)) return row.text.length || null;
      const kept = { ...keptText(text), digest };
      const first = { _id, ...name, ...kept, redacted: false };
      await retriedOnDuplicate(() => model.updateOne({ _id }, { $setOnInsert: first }, { upsert: true }));
      await model.updateOne({ _id, redacted: false, digest: { $ne: digest } }, { $set: kept });
      return kept.text.length || null;
    },
    /** Removed names stay known, in case the text comes again. */
    remove: async (name: TextName): Promise<void> => {
      const _id = idOf(name);
      await model.deleteOne({ _id, redacted: false });
      await model.updateOne({ _id }, { $set: { text: "" } });
    },
    listOfSpace: async (
      environment: AccountId,
      spaceId: string,
      after: string,
      limit: number,
    ): Promise<{ id: string; text: string }[]> => {
      const rows = await model
        .find({ environment, spaceId, _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(limit)
        .lean();
      return rows.map(({ _id, text }) => ({ id: _id, text }));
    },
    /** Replaces the text that was seen. @returns false when it has changed meanwhile. */
    redact: async (id: string, { from, to }: { from: string; to: string }): Promise<boolean> => {
      const done = await model.updateOne({ _id: id, text: from }, { $set: { text: to, redacted: true } });
      return done.modifiedCount > 0;
    },
  };
}
