import { recordModel } from "../../../storage/record-model.ts";
import { classroomAddressRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";

/** Which documented addresses a service answers, kept across restarts. `key`: the classroom client's digest. */
export function createAddressStore(connection: Connection) {
  const model = recordModel(connection, classroomAddressRecord);

  return {
    find: async (key: string): Promise<number | null> => {
      const row = await model.findOne({ _id: key }).lean();
      return row?.position ?? null;
    },
    /** When the service last answered there (ms). */
    answeredAt: async (key: string): Promise<number | null> =>
      (await model.findOne({ _id: key }).lean())?.at ?? null,
    remember: async (key: string, position: number, at: number): Promise<void> => {
      await model.updateOne({ _id: key }, { $set: { position, at } }, { upsert: true });
    },
  };
}
