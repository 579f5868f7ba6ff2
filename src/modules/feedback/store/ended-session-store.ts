import { recordModel } from "../../../storage/record-model.ts";
import { endedSessionRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";

export type EndedSessionStore = ReturnType<typeof createEndedSessionStore>;

/** Console sessions that were logged out before their time. */
export function createEndedSessionStore(connection: Connection) {
  const model = recordModel(connection, endedSessionRecord);

  return {
    /** `expiresAt` (ms): when the session would have ended. Repeatable. */
    end: async (id: string, expiresAt: number): Promise<void> => {
      try {
        await model.create({ _id: id, expiresAt: new Date(expiresAt) });
      } catch (thrown) {
        if (!isDuplicateKey(thrown)) throw thrown;
      }
    },
    hasEnded: async (id: string): Promise<boolean> => (await model.findOne({ _id: id }).lean()) !== null,
  };
}
