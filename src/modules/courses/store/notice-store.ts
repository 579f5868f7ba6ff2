import { recordModel } from "../../../storage/record-model.ts";
import { noticeRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";

export type NoticeMark = { registrationId: string; noticeId: string; nonce: string };

export type NoticeStore = ReturnType<typeof createNoticeStore>;

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
