import { type Connection, Schema } from "mongoose";
import type { Resend } from "../rules/resend.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

type ResendRow = Resend & { _id: string };

export type ResendKey = Pick<Resend, "registrationId" | "courseId">;
export type ResendStore = ReturnType<typeof createResendStore>;

export function createResendStore(connection: Connection) {
  const schema = new Schema<ResendRow>(
    {
      _id: { type: String, required: true },
      registrationId: { type: String, required: true },
      courseId: { type: String, required: true },
      startedAt: { type: Number, required: true },
      total: { type: Number, default: null },
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ registrationId: 1, courseId: 1 }, { unique: true });
  const model = connection.model<ResendRow>("Resend", schema);

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

function toResend({ _id, ...resend }: ResendRow): Resend {
  return resend;
}
