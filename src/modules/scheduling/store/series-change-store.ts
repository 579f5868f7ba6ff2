import { recordModel } from "../../../storage/record-model.ts";
import type { ItemOf } from "../../../domain/record.ts";
import { seriesChangeRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

export type SeriesChange = ItemOf<typeof seriesChangeRecord>;

export type SeriesChangeStore = ReturnType<typeof createSeriesChangeStore>;

/** Webhooks of one change are at most this far apart (ms). */
const togetherMs = 60_000;

export function createSeriesChangeStore(connection: Connection) {
  const model = recordModel(connection, seriesChangeRecord);

  return {
    note: async ({ at, ...change }: Omit<SeriesChange, "eventIds">, eventId: string): Promise<void> => {
      const { courseId, eventType, scope, title } = change;
      const _id = JSON.stringify([courseId, eventType, scope, title, Math.floor(at / togetherMs)]);
      await retriedOnDuplicate(() =>
        model.updateOne(
          { _id },
          { $setOnInsert: change, $min: { at }, $addToSet: { eventIds: eventId } },
          { upsert: true },
        ),
      );
    },
    listOfCourse: async (courseId: string, limit: number): Promise<SeriesChange[]> =>
      (await model.find({ courseId }).sort({ at: -1 }).limit(limit).lean()).map(({ _id, by, ...row }) => ({
        ...row,
        by: by ?? null,
      })),
  };
}
