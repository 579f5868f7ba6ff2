import { openRecords } from "./records.ts";
import { throttleRecord } from "../modules/operations/rules/records.ts";
import type { Connection } from "mongoose";

/** One record for all processes with the same API key, replaced by compare-and-set. `key` is a digest, never the API key. */
export function createThrottleStore(connection: Connection) {
  const records = openRecords(connection, throttleRecord);

  return {
    read: async (key: string): Promise<{ revision: number; record: string } | null> => {
      const row = await records.row({ _id: key });
      return row === null ? null : { revision: row.revision, record: row.record };
    },
    /** Writes if the revision is the given one (null: there is none yet). @returns false if another process was faster. */
    replace: async (key: string, revision: number | null, record: string): Promise<boolean> =>
      revision === null
        ? records.insert({ _id: key, revision: 1, record })
        : records.change({ _id: key, revision }, { $set: { revision: revision + 1, record } }),
  };
}
