import { recordModel } from "../../../storage/record-model.ts";
import { noticeRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";

/** What a notice is known by. */
export type NoticeMark = { registrationId: string; noticeId: string; nonce: string };

export type NoticeStore = ReturnType<typeof createNoticeStore>;

/** Notices that were received, so that each takes effect once. */
export function createNoticeStore(connection: Connection) {
  const model = recordModel(connection, noticeRecord);

  return {
    /**
     * Writes a notice down before it takes effect.
     * @param keepUntil Until when it must be recognised again (ms).
     * @returns "new" also for one whose effect was interrupted, "done" for one that took effect already, and
     * "nonce-used" when another notice carried the same nonce.
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
    /** Notes that it took effect. */
    finish: async (mark: NoticeMark): Promise<void> => {
      await model.updateOne({ _id: idOf(mark) }, { $set: { done: true } });
    },
  };
}

function idOf({ registrationId, noticeId }: NoticeMark): string {
  return `${registrationId} ${noticeId}`;
}
