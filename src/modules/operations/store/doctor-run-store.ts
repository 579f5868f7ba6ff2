import { type Connection, Schema } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import type { DoctorRun } from "../rules/doctor-report.ts";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";
import { type LeaseFields, leaseFields, released, longerLease } from "../../../storage/lease.ts";

type DoctorRunRow = DoctorRun & LeaseFields & { _id: string };

export type DoctorRunStore = ReturnType<typeof createDoctorRunStore>;

/** Of all accounts, or of one. */
const idOf = (account: AccountId | null) => (account === null ? "doctor" : `doctor ${account}`);

/** The latest examination of all classrooms, or of one account's, and the result before; at most one of each runs at a time. */
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
    find: async (account: AccountId | null = null): Promise<DoctorRun | null> => {
      const row = await model.findOne({ _id: idOf(account) }).lean();
      if (row === null) return null;
      const { _id, leaseHolder: _holder, ...run } = row;
      return run;
    },
    /** @returns false when one is running: of two at once, one gets true. */
    begin: async (
      account: AccountId | null,
      holder: string,
      { now, until }: { now: number; until: number },
    ): Promise<boolean> => {
      const begun = { leaseHolder: holder, leaseUntil: until, startedAt: now };
      const free = { _id: idOf(account), leaseUntil: { $lte: now } };
      if ((await model.updateOne(free, { $set: begun })).matchedCount === 1) return true;
      try {
        await model.create({ _id: idOf(account), endedAt: null, found: null, problem: null, ...begun });
        return true;
      } catch (thrown) {
        if (isDuplicateKey(thrown)) return false;
        throw thrown;
      }
    },
    /** No effect when the claim was lost. */
    extend: async (account: AccountId | null, holder: string, until: number): Promise<boolean> =>
      (await model.updateOne(...longerLease(idOf(account), holder, until))).matchedCount === 1,
    /** No effect when the claim was lost. What is left out stays. */
    end: async (
      account: AccountId | null,
      holder: string,
      outcome: Pick<DoctorRun, "endedAt" | "problem"> & Partial<Pick<DoctorRun, "found">>,
    ): Promise<void> => {
      await model.updateOne(
        { _id: idOf(account), leaseHolder: holder },
        { $set: { ...outcome, ...released } },
      );
    },
  };
}
