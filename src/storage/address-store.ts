import { type Connection, Schema } from "mongoose";

type AddressRow = { _id: string; position: number };

/**
 * Which of the documented addresses a classroom service answers, so that a process that starts need not find out
 * again. `key` is a digest; what stands behind it is the classroom client's matter.
 */
export function createAddressStore(connection: Connection) {
  const schema = new Schema<AddressRow>({ _id: String, position: Number }, { versionKey: false });
  const model = connection.model<AddressRow>("ClassroomAddress", schema);

  return {
    find: async (key: string): Promise<number | null> => {
      const row = await model.findOne({ _id: key }).lean();
      return row?.position ?? null;
    },
    remember: async (key: string, position: number): Promise<void> => {
      await model.updateOne({ _id: key }, { $set: { position } }, { upsert: true });
    },
  };
}
