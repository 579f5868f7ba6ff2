import { type Connection, Schema } from "mongoose";
import { type DueRange, dueHeadsOf, everything } from "../../../storage/due-heads.ts";

export type PendingRegrade = {
  id: string;
  registrationId: string;
  courseId: string;
  personIds: readonly string[] | null;
  /** When another process computes them (ms). */
  dueAt: number;
};

type PendingRegradeRow = Omit<PendingRegrade, "id" | "personIds"> & {
  _id: string;
  personIds: string[] | null;
};

export type PendingRegradeStore = ReturnType<typeof createPendingRegradeStore>;

/** Notes stored before a change and deleted once its scores are wanted, so that a crash costs seconds. */
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
    postpone: async (id: string, dueAt: number): Promise<boolean> =>
      (await model.updateOne({ _id: id }, { $set: { dueAt } })).matchedCount === 1,
    remove: async (id: string): Promise<void> => {
      await model.deleteOne({ _id: id });
    },
    /** Due again at `until` unless removed. */
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
