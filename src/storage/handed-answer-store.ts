import { type Connection, Schema } from "mongoose";

type HandedAnswerRow = {
  /** Digest of the key that the waiting frame has. */
  _id: string;
  /** The sealed answer; null while it is being chosen. */
  answer: string | null;
  expiresAt: Date;
};

export type HandedAnswerStore = ReturnType<typeof createHandedAnswerStore>;

/** Answers to deep linking requests, chosen in a window of their own and fetched by the frame that opened it. */
export function createHandedAnswerStore(connection: Connection) {
  const schema = new Schema<HandedAnswerRow>(
    {
      _id: { type: String, required: true },
      answer: { type: String, default: null },
      expiresAt: { type: Date, required: true },
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
  const model = connection.model<HandedAnswerRow>("HandedAnswer", schema);

  return {
    /**
     * Keeps an answer, or that one is being chosen (null), until `expiresAt` (ms). A dialog that opens once more takes the
     * place of what was answered before.
     */
    put: async (id: string, answer: string | null, expiresAt: number): Promise<void> => {
      await model.updateOne(
        { _id: id },
        { $set: { answer, expiresAt: new Date(expiresAt) } },
        { upsert: true },
      );
    },

    /** What is kept at `now` (ms); null when nothing is. */
    find: async (id: string, now: number): Promise<{ answer: string | null } | null> => {
      const row = await model.findOne({ _id: id, expiresAt: { $gt: new Date(now) } }).lean();
      return row === null ? null : { answer: row.answer };
    },
  };
}
