import { recordModel } from "./record-model.ts";
import { handedAnswerRecord } from "../modules/operations/rules/records.ts";
import type { Connection } from "mongoose";

export type HandedAnswerStore = ReturnType<typeof createHandedAnswerStore>;

/** Answers to deep linking requests, chosen in a window of their own and fetched by the frame that opened it. */
export function createHandedAnswerStore(connection: Connection) {
  const model = recordModel(connection, handedAnswerRecord);

  return {
    /** Null: an answer is being chosen. A dialog that opens once more replaces the earlier answer. */
    put: async (id: string, answer: string | null, expiresAt: number): Promise<void> => {
      await model.updateOne(
        { _id: id },
        { $set: { answer, expiresAt: new Date(expiresAt) } },
        { upsert: true },
      );
    },

    find: async (id: string, now: number): Promise<{ answer: string | null } | null> => {
      const row = await model.findOne({ _id: id, expiresAt: { $gt: new Date(now) } }).lean();
      return row === null ? null : { answer: row.answer };
    },
  };
}
