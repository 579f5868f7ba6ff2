import { type Connection, Schema } from "mongoose";
import { type DueRange, dueHeadsOf, everything } from "../../../storage/due-heads.ts";

/** Scores that are owed because something they follow from is being changed. */
export type OwedGrading = {
  id: string;
  registrationId: string;
  courseId: string;
  /** Null for everybody of the course. */
  personIds: readonly string[] | null;
  /** When others pay, because whoever was to do it has come to an end (ms). */
  dueAt: number;
};

type OwedGradingRow = Omit<OwedGrading, "id" | "personIds"> & { _id: string; personIds: string[] | null };

export type OwedGradingStore = ReturnType<typeof createOwedGradingStore>;

/**
 * Notes that are written before a change and deleted when the scores that follow from it are wanted, so that a crash
 * in between costs seconds. They exist only while there is something to do.
 */
export function createOwedGradingStore(connection: Connection) {
  const schema = new Schema<OwedGradingRow>(
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
  const model = connection.model<OwedGradingRow>("OwedGrading", schema);
  const firstDue = async (_scope: string, dueAt: DueRange) => {
    const row = await model.findOne({ dueAt }).sort({ dueAt: 1 }).lean();
    return row === null ? null : { dueAt: row.dueAt, leaseUntil: 0 };
  };
  const queue = dueHeadsOf(connection).queue("owed-grades", firstDue);

  return {
    note: async ({ id, ...owed }: OwedGrading): Promise<void> => {
      const personIds = owed.personIds === null ? null : [...owed.personIds];
      await queue.announced(everything, owed.dueAt, () => model.insertOne({ _id: id, ...owed, personIds }));
    },
    /** The change takes longer: nobody is to pay before `dueAt`. */
    postpone: async (id: string, dueAt: number): Promise<void> => {
      await model.updateOne({ _id: id }, { $set: { dueAt } });
    },
    paid: async (id: string): Promise<void> => {
      await model.deleteOne({ _id: id });
    },
    /** Takes one that nobody has paid in time; it comes up again at `until` unless it is paid. */
    claimDue: async (now: number, until: number): Promise<OwedGrading | null> => {
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
