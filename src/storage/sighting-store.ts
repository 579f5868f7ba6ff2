import { type Connection, Schema } from "mongoose";
import { retriedOnDuplicate } from "./duplicate-key.ts";

type SightingRow = { _id: string; at: number };

export type SightingStore = ReturnType<typeof createSightingStore>;

/** When something was last seen by any process, one record for each kind. */
export function createSightingStore(connection: Connection) {
  const schema = new Schema<SightingRow>(
    { _id: { type: String, required: true }, at: { type: Number, required: true } },
    { versionKey: false },
  );
  const model = connection.model<SightingRow>("Sighting", schema);

  return {
    /** It was seen at a moment (ms); an earlier one than is known changes nothing. */
    note: async (what: string, at: number): Promise<void> => {
      await retriedOnDuplicate(() =>
        model.updateOne({ _id: what }, { $setOnInsert: { _id: what }, $max: { at } }, { upsert: true }),
      );
    },
    /** When it was last seen (ms); null when it never was. */
    find: async (what: string): Promise<number | null> => (await model.findById(what).lean())?.at ?? null,
  };
}
