import { type Connection, Schema } from "mongoose";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

/** A subscription: a type of notice of one deployment, sent to our address. */
export type NoticeWish = { registrationId: string; deploymentId: string; type: string; handler: string };

type SubscriptionRow = Omit<NoticeWish, "handler"> & {
  _id: string;
  /** The address the LMS has; null while it has none of ours. */
  handler: string | null;
  attempts: number;
  /** Earliest next attempt (ms); also holds the claim. */
  nextTryAt: number;
};

export type NoticeSubscriptionStore = ReturnType<typeof createNoticeSubscriptionStore>;

/** Subscriptions to notices, one record for each (registration, deployment, type). */
export function createNoticeSubscriptionStore(connection: Connection) {
  const schema = new Schema<SubscriptionRow>(
    {
      _id: { type: String, required: true },
      registrationId: { type: String, required: true },
      deploymentId: { type: String, required: true },
      type: { type: String, required: true },
      handler: { type: String, default: null },
      attempts: { type: Number, required: true },
      nextTryAt: { type: Number, required: true },
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ registrationId: 1, deploymentId: 1, type: 1 }, { unique: true });
  const model = connection.model<SubscriptionRow>("NoticeSubscription", schema);

  return {
    /** @returns the failed attempts; null when the LMS has this address, another process is asking, or it is too early. */
    claim: async (
      { handler, ...key }: NoticeWish,
      id: string,
      now: number,
      until: number,
    ): Promise<number | null> => {
      const known = await model.findOne({ ...key }).lean();
      if (known !== null && (known.handler === handler || known.nextTryAt > now)) return null;
      if (known === null) {
        await retriedOnDuplicate(() =>
          model.updateOne(
            { ...key },
            { $setOnInsert: { _id: id, handler: null, attempts: 0, nextTryAt: 0 } },
            { upsert: true },
          ),
        );
      }
      const row = await model
        .findOneAndUpdate(
          { ...key, handler: { $ne: handler }, nextTryAt: { $lte: now } },
          { $set: { nextTryAt: until } },
          { returnDocument: "after" },
        )
        .lean();
      return row?.attempts ?? null;
    },
    keep: async ({ handler, ...key }: NoticeWish): Promise<void> => {
      await model.updateOne({ ...key }, { $set: { handler, attempts: 0, nextTryAt: 0 } });
    },
    /** The LMS refused; retried from `nextTryAt`. */
    postpone: async (
      { handler: _handler, ...key }: NoticeWish,
      attempts: number,
      nextTryAt: number,
    ): Promise<void> => {
      await model.updateOne({ ...key }, { $set: { attempts, nextTryAt } });
    },
  };
}
