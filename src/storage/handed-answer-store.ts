import { recordModel } from "./record-model.ts";
import { handedAnswerRecord } from "../modules/operations/rules/records.ts";
import type { Connection } from "mongoose";

export type HandedAnswerStore = ReturnType<typeof createHandedAnswerStore>;

/** Answers to deep linking requests, chosen in a window of their own and fetched by the frame that opened it. */
export function createHandedAnswerStore(connection: Connection) {
  const model = recordModel(connection, handedAnswerRecord);

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
