import { recordModel } from "../../../storage/record-model.ts";
import { classroomAddressRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";

/**
 * Which of the documented addresses a classroom service answers, so that a process that starts need not find out
 * again. `key` is a digest; what stands behind it is the classroom client's matter.
 */
export function createAddressStore(connection: Connection) {
  const model = recordModel(connection, classroomAddressRecord);

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
