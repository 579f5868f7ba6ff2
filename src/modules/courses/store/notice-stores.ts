import type { Connection } from "mongoose";
import type { ItemOf } from "../../../domain/record.ts";
import { courseCopyRecord, noticeRecord, noticeSubscriptionRecord } from "../rules/records.ts";
import { openRecords } from "../../../storage/records.ts";
import type { CourseKey } from "./course-store.ts";

type NoticeMark = { registrationId: string; noticeId: string; nonce: string };

export function createNoticeStore(connection: Connection) {
  const records = openRecords(connection, noticeRecord);

  return {
    /**
     * Records a notice before it takes effect. @param keepUntil How long it must be recognized (ms).
     * @returns "new" (even after an interrupted effect), "done" once it took effect, "nonce-used" if another notice had this nonce.
     */
    begin: async (mark: NoticeMark, keepUntil: number): Promise<"new" | "done" | "nonce-used"> => {
      const id = idOf(mark);
      if (await records.insert({ _id: id, ...mark, done: false, expiresAt: new Date(keepUntil) }))
        return "new";
      const known = await records.row({ _id: id });
      if (known === null) return "nonce-used";
      return known.done ? "done" : "new";
    },
    finish: async (mark: NoticeMark): Promise<void> => {
      await records.change({ _id: idOf(mark) }, { $set: { done: true } });
    },
  };
}

function idOf({ registrationId, noticeId }: NoticeMark): string {
  return `${registrationId} ${noticeId}`;
}

/** A subscription: a type of notice of one deployment, sent to our address. */
type NoticeSubscription = { registrationId: string; deploymentId: string; type: string; handler: string };

export function createNoticeSubscriptionStore(connection: Connection) {
  const records = openRecords(connection, noticeSubscriptionRecord);

  return {
    /** @returns the failed attempts, or null if the LMS has this address, another process is asking, or it's too early. */
    claim: async ({ handler, ...key }: NoticeSubscription, id: string, now: number, until: number) => {
      const known = await records.row(key);
      if (known !== null && (known.handler === handler || known.nextTryAt > now)) return null;
      if (known === null) await records.ensure(key, { _id: id, handler: null, attempts: 0, nextTryAt: 0 });
      const row = await records.take(
        { ...key, handler: { $ne: handler }, nextTryAt: { $lte: now } },
        { $set: { nextTryAt: until } },
      );
      return row?.attempts ?? null;
    },
    keep: async ({ handler, ...key }: NoticeSubscription): Promise<void> => {
      await records.change(key, { $set: { handler, attempts: 0, nextTryAt: 0 } });
    },
    /** The LMS refused. Retries from `nextTryAt`. */
    postpone: async (
      { handler: _handler, ...key }: NoticeSubscription,
      attempts: number,
      nextTryAt: number,
    ) => {
      await records.change(key, { $set: { attempts, nextTryAt } });
    },
  };
}

/** Evidence of copies, one record per registration, deployment and context. The courses needn't exist yet. */
export function createCourseCopyStore(connection: Connection) {
  const records = openRecords(connection, courseCopyRecord);

  return {
    /** Repeatable. */
    addOrigins: async (key: CourseKey, origins: readonly string[], id: string): Promise<void> => {
      const first = { _id: id, madeIn: null };
      await records.save(key, { $addToSet: { origins: { $each: [...origins] } }, $setOnInsert: first });
    },
    /** Keeps the first course that was noted. */
    noteMadeIn: async (key: CourseKey, madeIn: string, id: string): Promise<void> => {
      if (await records.change({ ...key, madeIn: null }, { $set: { madeIn } })) return;
      await records.ensure(key, { _id: id, origins: [], madeIn });
    },
    /** In any deployment of the registration. */
    listOf: async (registrationId: string, contextId: string): Promise<ItemOf<typeof courseCopyRecord>[]> =>
      (await records.rows({ registrationId, contextId })).map(({ _id, ...copy }) => copy),
  };
}
