import { type Connection, Schema } from "mongoose";

/** What a test of an LMS's connection found; what stands in the checks is not the store's matter. */
type ConnectionTest<Check> = { registrationId: string; checkedAt: number; checks: readonly Check[] };
type ConnectionTestRow = Omit<ConnectionTest<unknown>, "registrationId"> & { _id: string };

export type ConnectionTestStore = ReturnType<typeof createConnectionTestStore>;

/** The latest test of each LMS's connection. */
export function createConnectionTestStore(connection: Connection) {
  const schema = new Schema<ConnectionTestRow>(
    {
      _id: { type: String, required: true },
      checkedAt: { type: Number, required: true },
      checks: { type: Schema.Types.Mixed, required: true },
    },
    { versionKey: false, minimize: false },
  );
  const model = connection.model<ConnectionTestRow>("ConnectionTest", schema);

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
