import type { Connection } from "mongoose";
import { readerOf } from "../../../domain/record.ts";
import { type Resend, resendRecord } from "../rules/records.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { recordModel } from "../../../storage/record-model.ts";

export type ResendKey = Pick<Resend, "registrationId" | "courseId">;
export type ResendStore = ReturnType<typeof createResendStore>;

export function createResendStore(connection: Connection) {
  const model = recordModel(connection, resendRecord);

  return {
    find: async ({ registrationId, courseId }: ResendKey): Promise<Resend | null> => {
      const row = await model.findOne({ registrationId, courseId }).lean();
      return row === null ? null : toResend(row);
    },
    begin: async (key: ResendKey, id: string, startedAt: number): Promise<void> => {
      await retriedOnDuplicate(() =>
        model.updateOne(
          { ...key },
          { $set: { startedAt, total: null }, $setOnInsert: { _id: id } },
          { upsert: true },
        ),
      );
    },
    keepTotal: async (key: ResendKey, startedAt: number, total: number): Promise<void> => {
      await model.updateOne({ ...key, startedAt }, { $set: { total } });
    },
  };
}

const toResend = readerOf(resendRecord);
