import { type Connection, Schema } from "mongoose";
import { type DueRange, dueHeadsOf, everything } from "../../../storage/due-heads.ts";

/** Scores that are to be computed because something they follow from is being changed. */
export type PendingRegrade = {
  id: string;
  registrationId: string;
  courseId: string;
  /** Null for everybody of the course. */
  personIds: readonly string[] | null;
  /** When others compute them, because the process that was to do it has ended (ms). */
  dueAt: number;
};

type PendingRegradeRow = Omit<PendingRegrade, "id" | "personIds"> & {
  _id: string;
  personIds: string[] | null;
};

export type PendingRegradeStore = ReturnType<typeof createPendingRegradeStore>;

/**
 * Notes that are written before a change and deleted when the scores that follow from it are wanted, so that a crash
 * in between costs seconds. They exist only while there is something to do.
 */
export function createPendingRegradeStore(connection: Connection) {
  const schema = new Schema<PendingRegradeRow>(
    {
      _id: { type: String, required: true },
      registrationId: { type: String, required: true },
      courseId: { type: String, required: true },
      personIds: { type: Schema.Types.Mixed, default: null },
      dueAt: { type: Number, required: true },
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ dueAt: 1 });
  const model = connection.model<PendingRegradeRow>("OwedGrading", schema);
  const firstDue = async (_scope: string, dueAt: DueRange) => {
    const row = await model.findOne({ dueAt }).sort({ dueAt: 1 }).lean();
    return row === null ? null : { dueAt: row.dueAt, leaseUntil: 0 };
  };
  const queue = dueHeadsOf(connection).queue("owed-grades", firstDue);

  return {
    note: async ({ id, ...pending }: PendingRegrade): Promise<void> => {
      const personIds = pending.personIds === null ? null : [...pending.personIds];
      await queue.announced(everything, pending.dueAt, () =>
        model.insertOne({ _id: id, ...pending, personIds }),
      );
    },
    /** The change takes longer: nobody else is to compute them before `dueAt`. */
    postpone: async (id: string, dueAt: number): Promise<void> => {
      await model.updateOne({ _id: id }, { $set: { dueAt } });
    },
    remove: async (id: string): Promise<void> => {
      await model.deleteOne({ _id: id });
    },
    /** Takes one that was not removed in time; it comes up again at `until` unless it is removed. */
    claimDue: async (now: number, until: number): Promise<PendingRegrade | null> => {
      const take = () =>
        model
          .findOneAndUpdate(
            { dueAt: { $lte: now } },
            { $set: { dueAt: until } },
            { sort: { dueAt: 1 }, returnDocument: "after" },
          )
          .lean();
      const row = await queue.claim(now, { take });
      if (row === null) return null;
      const { _id, registrationId, courseId, personIds, dueAt } = row;
      return { id: _id, registrationId, courseId, personIds, dueAt };
    },
  };
}
