import { type Connection, Schema } from "mongoose";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";

type EndedRow = { _id: string; expiresAt: Date };

export type EndedSessionStore = ReturnType<typeof createEndedSessionStore>;

/** Console sessions that were logged out before their time. */
export function createEndedSessionStore(connection: Connection) {
  const schema = new Schema<EndedRow>(
    { _id: { type: String, required: true }, expiresAt: { type: Date, required: true } },
    { versionKey: false, minimize: false },
  );
  schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
  const model = connection.model<EndedRow>("EndedSession", schema);

  return {
    /** Ends a session that would have lasted until `expiresAt` (ms); ending it twice is the same. */
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
