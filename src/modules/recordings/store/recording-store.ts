import { plainReads } from "../../../storage/plain-reads.ts";
import type { Connection } from "mongoose";
import { readerOf, type RowOf } from "../../../domain/record.ts";
import { nothingReported, type SpaceRecording, spaceRecordingRecord } from "../rules/recording.ts";
import type { AccountId } from "../../../domain/account.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { recordModel } from "../../../storage/record-model.ts";

export type RecordingName = Pick<SpaceRecording, "environment" | "recordingId" | "spaceId">;

export type ListedRecording = Pick<
  SpaceRecording,
  | "recordingId"
  | "listedAs"
  | "title"
  | "sessionId"
  | "startedAt"
  | "endedAt"
  | "durationSeconds"
  | "url"
  | "transcriptUrl"
  | "summaryUrl"
  | "transcriptLength"
  | "summaryLength"
> & {
  /** As the list says; null when unknown. */
  availableAt: number | null;
};

export type RecordingStore = ReturnType<typeof createRecordingStore>;

export function createRecordingStore(connection: Connection) {
  const model = recordModel(connection, spaceRecordingRecord);
  const reads = plainReads(model);
  const idOf = ({ environment, recordingId }: Pick<RecordingName, "environment" | "recordingId">) =>
    `${environment}:${recordingId}`;

  return {
    find: async (environment: AccountId, recordingId: string): Promise<SpaceRecording | null> => {
      const row = await model.findOne({ _id: idOf({ environment, recordingId }) }).lean();
      return row === null ? null : toRecording(row);
    },
    /** The latest ones. */
    listOfSpaces: async (
      environment: AccountId,
      spaceIds: readonly string[],
      limit: number,
    ): Promise<SpaceRecording[]> =>
      spaceIds.length === 0
        ? []
        : (
            await reads.all(
              { environment, spaceId: { $in: [...spaceIds] } },
              { sort: { firstSeenAt: -1 }, limit },
            )
          ).map(toRecording),
    /** A webhook's facts; repeatable, and without effect after later ones. @param times What happened, and when (ms). */
    note: async (
      name: RecordingName,
      times: Partial<Record<"availableAt" | "transcriptAt" | "goneAt", number>>,
      now: number,
    ): Promise<void> => {
      const { spaceId, ...key } = name;
      const { goneAt, ...earliest } = times;
      const _id = idOf(name);
      await retriedOnDuplicate(() =>
        model.updateOne(
          { _id },
          {
            $set: { spaceId },
            $setOnInsert: { _id, ...key, firstSeenAt: now },
            ...(Object.keys(earliest).length === 0 ? {} : { $min: earliest }),
            ...(goneAt === undefined ? {} : { $max: { goneAt } }),
          },
          { upsert: true },
        ),
      );
    },
    /** Replaces what an earlier list said with the list read at `readAt`; webhooks' facts stay. */
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
      await retriedOnDuplicate(() =>
        model.updateOne(
          { _id },
          {
            $set: { spaceId, listedAt: readAt, ...Object.fromEntries(known) },
            $setOnInsert: { _id, environment, recordingId, firstSeenAt: readAt },
            ...(availableAt === null ? {} : { $min: { availableAt } }),
            ...(unknown.length === 0
              ? {}
              : { $unset: Object.fromEntries(unknown.map(([name]) => [name, ""])) }),
          },
          { upsert: true },
        ),
      );
      if (listed.listedAs !== "unavailable")
        await model.updateOne({ _id, goneAt: { $lte: readAt } }, { $unset: { goneAt: "" } });
    },
    forgetTexts: async ({ environment, recordingId }: Omit<RecordingName, "spaceId">): Promise<void> => {
      const _id = idOf({ environment, recordingId });
      await model.updateOne({ _id }, { $unset: { transcriptLength: "", summaryLength: "" } });
    },
    /** From the complete list whose reading began at `since` (ms). */
    markMissing: async (
      { environment, spaceId }: Pick<RecordingName, "environment" | "spaceId">,
      since: number,
    ): Promise<void> => {
      const unlisted = { environment, spaceId, listedAt: { $lt: since }, goneAt: null };
      await model.updateMany(unlisted, { $set: { goneAt: since } });
    },
  };
}

const readRecording = readerOf(spaceRecordingRecord);

function toRecording(row: RowOf<typeof spaceRecordingRecord>): SpaceRecording {
  return { ...nothingReported, ...readRecording(row) };
}
