import { recordModel } from "./record-model.ts";
import { throttleRecord } from "../modules/operations/rules/records.ts";
import type { Connection } from "mongoose";
import { isDuplicateKey } from "./duplicate-key.ts";

/** One record for all processes with an API key, replaced by compare-and-set; `key` is a digest, never the API key. */
export function createThrottleStore(connection: Connection) {
  const model = recordModel(connection, throttleRecord);

  return {
    ready: () => model.init(),
    read: async (key: string): Promise<{ revision: number; record: string } | null> => {
      const row = await model.findOne({ _id: key }).lean();
      return row === null ? null : { revision: row.revision, record: row.record };
    },
    /** With the given revision (null: none yet). @returns false when another process was faster. */
    replace: async (key: string, revision: number | null, record: string): Promise<boolean> => {
      if (revision === null) return insert(key, record);
      const replaced = await model.findOneAndUpdate(
        { _id: key, revision },
        { $set: { revision: revision + 1, record } },
      );
      return replaced !== null;
    },
  };

  async function insert(key: string, record: string): Promise<boolean> {
    try {
      await model.create({ _id: key, revision: 1, record });
      return true;
    } catch (thrown) {
      if (isDuplicateKey(thrown)) return false;
      throw thrown;
    }
  }
}
