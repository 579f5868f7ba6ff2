import { type Connection, Schema } from "mongoose";
import type { DoctorRun } from "../rules/doctor-report.ts";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";
import { type LeaseFields, leaseFields, released } from "../../../storage/lease.ts";

type DoctorRunRow = DoctorRun & LeaseFields & { _id: string };

export type DoctorRunStore = ReturnType<typeof createDoctorRunStore>;

const only = "doctor";

/** The latest examination of the classroom and the result before; at most one runs at a time. */
export function createDoctorRunStore(connection: Connection) {
  const schema = new Schema<DoctorRunRow>(
    {
      _id: { type: String, required: true },
      startedAt: { type: Number, default: null },
      endedAt: { type: Number, default: null },
      found: { type: Schema.Types.Mixed, default: null },
      problem: { type: String, default: null },
      ...leaseFields,
    },
    { versionKey: false, minimize: false },
  );
  const model = connection.model<DoctorRunRow>("DoctorRun", schema);

  return {
    find: async (): Promise<DoctorRun | null> => {
      const row = await model.findOne({ _id: only }).lean();
      if (row === null) return null;
      const { _id, leaseHolder: _holder, ...run } = row;
      return run;
    },
    /** @returns false when one is running: of two at once, one gets true. */
    begin: async (holder: string, now: number, until: number): Promise<boolean> => {
      const begun = { leaseHolder: holder, leaseUntil: until, startedAt: now };
      const free = { _id: only, leaseUntil: { $lte: now } };
      if ((await model.updateOne(free, { $set: begun })).matchedCount === 1) return true;
      try {
        await model.create({ _id: only, endedAt: null, found: null, problem: null, ...begun });
        return true;
      } catch (thrown) {
        if (isDuplicateKey(thrown)) return false;
        throw thrown;
      }
    },
    /** No effect when the claim was lost. */
    extend: async (holder: string, until: number): Promise<void> => {
      await model.updateOne({ _id: only, leaseHolder: holder }, { $set: { leaseUntil: until } });
    },
    /** No effect when the claim was lost. What is left out stays. */
    end: async (
      holder: string,
      outcome: Pick<DoctorRun, "endedAt" | "problem"> & Partial<Pick<DoctorRun, "found">>,
    ): Promise<void> => {
      await model.updateOne({ _id: only, leaseHolder: holder }, { $set: { ...outcome, ...released } });
    },
  };
}
