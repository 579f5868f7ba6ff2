import { openRecords } from "./records.ts";
import { handedAnswerRecord } from "../modules/operations/rules/records.ts";
import type { Connection } from "mongoose";

/** Answers to deep linking requests, chosen in their own window and fetched by the frame that opened it. */
export function createHandedAnswerStore(connection: Connection) {
  const records = openRecords(connection, handedAnswerRecord);

  return {
    /** Null: an answer is being chosen. A dialog that opens once more replaces the earlier answer. */
    put: async (id: string, answer: string | null, expiresAt: number): Promise<void> => {
      await records.save({ _id: id }, { $set: { answer, expiresAt: new Date(expiresAt) } });
    },

    find: async (id: string, now: number): Promise<{ answer: string | null } | null> => {
      const row = await records.row({ _id: id, expiresAt: { $gt: new Date(now) } });
      return row === null ? null : { answer: row.answer };
    },
  };
}
