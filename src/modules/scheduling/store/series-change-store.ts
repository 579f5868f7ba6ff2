import { recordModel } from "../../../storage/record-model.ts";
import type { ItemOf } from "../../../domain/record.ts";
import { seriesChangeRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

/** A change of a series that somebody made in the classroom, put together from the webhooks of its instances. */
export type SeriesChange = ItemOf<typeof seriesChangeRecord>;

export type SeriesChangeStore = ReturnType<typeof createSeriesChangeStore>;

/** Webhooks of one change are so near to each other (ms) at most. */
const together = 60_000;

/** Changes of series made in the classroom, one record for each change. */
export function createSeriesChangeStore(connection: Connection) {
  const model = recordModel(connection, seriesChangeRecord);

  return {
    /** Adds an instance to its change; the same one again changes nothing. */
    note: async ({ at, ...change }: Omit<SeriesChange, "eventIds">, eventId: string): Promise<void> => {
      const { courseId, eventType, scope, title } = change;
      const _id = JSON.stringify([courseId, eventType, scope, title, Math.floor(at / together)]);
      await retriedOnDuplicate(() =>
        model.updateOne(
          { _id },
          { $setOnInsert: change, $min: { at }, $addToSet: { eventIds: eventId } },
          { upsert: true },
        ),
      );
    },
    /** Changes of a course's series, the latest first. */
    listOfCourse: async (courseId: string, limit: number): Promise<SeriesChange[]> =>
      (await model.find({ courseId }).sort({ at: -1 }).limit(limit).lean()).map(({ _id, by, ...row }) => ({
        ...row,
        by: by ?? null,
      })),
  };
}
