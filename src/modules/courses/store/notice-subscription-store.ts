import type { Connection } from "mongoose";
import { noticeSubscriptionRecord } from "../rules/records.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { recordModel } from "../../../storage/record-model.ts";

/** A subscription: a type of notice of one deployment, sent to our address. */
export type NoticeWish = { registrationId: string; deploymentId: string; type: string; handler: string };

export type NoticeSubscriptionStore = ReturnType<typeof createNoticeSubscriptionStore>;

export function createNoticeSubscriptionStore(connection: Connection) {
  const model = recordModel(connection, noticeSubscriptionRecord);

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
