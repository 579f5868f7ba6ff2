import { type Connection, Schema } from "mongoose";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

/** A change of a series that somebody made in the classroom, put together from the webhooks of its instances. */
export type SeriesChange = {
  courseId: string;
  /** Of the webhooks (interface 6.5), known or not. */
  eventType: string;
  /** The `recurringUpdateType`: ALL, FUTURE, CURRENT, or what nobody knows. */
  scope: string;
  title: string | null;
  /** When it was made (ms), as the first of its webhooks says. */
  at: number;
  /** Who made it, in the classroom's ids; null when not told. */
  by: string | null;
  /** The instances that were told so far. */
  eventIds: readonly string[];
};

type SeriesChangeRow = Omit<SeriesChange, "eventIds"> & { _id: string; eventIds: string[] };

export type SeriesChangeStore = ReturnType<typeof createSeriesChangeStore>;

/** Webhooks of one change are so near to each other (ms) at most. */
const together = 60_000;

/** Changes of series made in the classroom, one record for each change. */
export function createSeriesChangeStore(connection: Connection) {
  const schema = new Schema<SeriesChangeRow>(
    {
      _id: { type: String, required: true },
      courseId: { type: String, required: true },
      eventType: { type: String, required: true },
      scope: { type: String, required: true },
      title: { type: String, default: null },
      at: { type: Number, required: true },
      by: { type: String, default: null },
      eventIds: { type: [String], required: true },
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ courseId: 1, at: -1 });
  schema.index({ at: 1 });
  const model = connection.model<SeriesChangeRow>("SeriesChange", schema);

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
