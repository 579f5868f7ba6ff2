import type { Connection } from "mongoose";
import type { ItemOf } from "../../../domain/record.ts";
import { courseCopyRecord, noticeRecord, noticeSubscriptionRecord } from "../rules/records.ts";
import { isDuplicateKey, retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { recordModel } from "../../../storage/record-model.ts";
import type { CourseKey } from "./course-store.ts";

type NoticeMark = { registrationId: string; noticeId: string; nonce: string };

export function createNoticeStore(connection: Connection) {
  const model = recordModel(connection, noticeRecord);

  return {
    /**
     * Records a notice before it takes effect. @param keepUntil How long it must be recognised (ms). @returns "new"
     * also after an interrupted effect, "done" after it took effect, "nonce-used" when another notice had this nonce.
     */
    begin: async (mark: NoticeMark, keepUntil: number): Promise<"new" | "done" | "nonce-used"> => {
      const id = idOf(mark);
      try {
        await model.create({ _id: id, ...mark, done: false, expiresAt: new Date(keepUntil) });
        return "new";
      } catch (thrown) {
        if (!isDuplicateKey(thrown)) throw thrown;
        const known = await model.findOne({ _id: id }).lean();
        if (known === null) return "nonce-used";
        return known.done ? "done" : "new";
      }
    },
    finish: async (mark: NoticeMark): Promise<void> => {
      await model.updateOne({ _id: idOf(mark) }, { $set: { done: true } });
    },
  };
}

function idOf({ registrationId, noticeId }: NoticeMark): string {
  return `${registrationId} ${noticeId}`;
}

/** A subscription: a type of notice of one deployment, sent to our address. */
type NoticeWish = { registrationId: string; deploymentId: string; type: string; handler: string };

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

type CourseCopy = ItemOf<typeof courseCopyRecord>;

/** Evidence of copies, one record for each (registration, deployment, context); courses need not exist yet. */
export function createCourseCopyStore(connection: Connection) {
  const model = recordModel(connection, courseCopyRecord);

  return {
    /** Repeatable. */
    addOrigins: async (key: CourseKey, origins: readonly string[], id: string): Promise<void> => {
      await retriedOnDuplicate(() =>
        model.updateOne(
          { ...key },
          {
            $addToSet: { origins: { $each: [...origins] } },
            $setOnInsert: { _id: id, madeIn: null },
          },
          { upsert: true },
        ),
      );
    },
    /** The first one noted stays. */
    noteMadeIn: async (key: CourseKey, madeIn: string, id: string): Promise<void> => {
      const noted = await model.updateOne({ ...key, madeIn: null }, { $set: { madeIn } });
      if (noted.matchedCount === 1) return;
      await retriedOnDuplicate(() =>
        model.updateOne({ ...key }, { $setOnInsert: { _id: id, origins: [], madeIn } }, { upsert: true }),
      );
    },
    /** In any deployment of the registration. */
    listOf: async (registrationId: string, contextId: string): Promise<CourseCopy[]> =>
      (await model.find({ registrationId, contextId }).lean()).map(({ _id, ...copy }) => copy),
  };
}
