import { type Connection, Schema } from "mongoose";

/** `at`: left out by earlier versions. */
type AddressRow = { _id: string; position: number; at?: number };

/**
 * Which of the documented addresses a classroom service answers, so that a process that starts need not find out
 * again. `key` is a digest; what stands behind it is the classroom client's matter.
 */
export function createAddressStore(connection: Connection) {
  const schema = new Schema<AddressRow>({ _id: String, position: Number, at: Number }, { versionKey: false });
  const model = connection.model<AddressRow>("ClassroomAddress", schema);

  return {
    find: async (key: string): Promise<number | null> => {
      const row = await model.findOne({ _id: key }).lean();
      return row?.position ?? null;
    },
    /** When the service last answered there, as far as that is noted (ms); null when it never did. */
    answeredAt: async (key: string): Promise<number | null> =>
      (await model.findOne({ _id: key }).lean())?.at ?? null,
    remember: async (key: string, position: number, at: number): Promise<void> => {
      await model.updateOne({ _id: key }, { $set: { position, at } }, { upsert: true });
    },
  };
}
