import { recordModel } from "../../../storage/record-model.ts";
import { connectionTestRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";

type ConnectionTest<Check> = { registrationId: string; checkedAt: number; checks: readonly Check[] };

export type ConnectionTestStore = ReturnType<typeof createConnectionTestStore>;

/** The latest test of each LMS. */
export function createConnectionTestStore(connection: Connection) {
  const model = recordModel(connection, connectionTestRecord);

  return {
    keep: async <Check>({ registrationId, checkedAt, checks }: ConnectionTest<Check>): Promise<void> => {
      const found = { checkedAt, checks: [...checks] };
      await model.updateOne({ _id: registrationId }, { $set: found }, { upsert: true });
    },
    find: async (registrationId: string): Promise<ConnectionTest<unknown> | null> => {
      const row = await model.findOne({ _id: registrationId }).lean();
      return row === null ? null : { registrationId, checkedAt: row.checkedAt, checks: row.checks };
    },
    /** Of all LMSs: one for each that was tested. */
    list: async (): Promise<ConnectionTest<unknown>[]> =>
      (await model.find({}).lean()).map(({ _id, checkedAt, checks }) => ({
        registrationId: _id,
        checkedAt,
        checks,
      })),
    remove: async (registrationId: string): Promise<void> => {
      await model.deleteOne({ _id: registrationId });
    },
  };
}
