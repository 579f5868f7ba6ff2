import { recordModel } from "../../../storage/record-model.ts";
import { connectionTestRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";

/** What a test of an LMS's connection found; what stands in the checks is not the store's matter. */
type ConnectionTest<Check> = { registrationId: string; checkedAt: number; checks: readonly Check[] };

export type ConnectionTestStore = ReturnType<typeof createConnectionTestStore>;

/** The latest test of each LMS's connection. */
export function createConnectionTestStore(connection: Connection) {
  const model = recordModel(connection, connectionTestRecord);

  return {
    /** Keeps a result in place of the one before. */
    keep: async <Check>({ registrationId, checkedAt, checks }: ConnectionTest<Check>): Promise<void> => {
      const found = { checkedAt, checks: [...checks] };
      await model.updateOne({ _id: registrationId }, { $set: found }, { upsert: true });
    },
    /** Null when the connection was never tested. */
    find: async (registrationId: string): Promise<ConnectionTest<unknown> | null> => {
      const row = await model.findOne({ _id: registrationId }).lean();
      return row === null ? null : { registrationId, checkedAt: row.checkedAt, checks: row.checks };
    },
    remove: async (registrationId: string): Promise<void> => {
      await model.deleteOne({ _id: registrationId });
    },
  };
}
