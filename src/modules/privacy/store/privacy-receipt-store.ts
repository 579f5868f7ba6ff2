import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import { type Receipt, receiptRecord, type ReceiptState } from "../../../inbox/rules/receipt.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { redactedBody } from "../rules/erasure.ts";

export type ReceiptBody = Pick<Receipt, "id" | "digest" | "body">;
export type PrivacyReceiptStore = ReturnType<typeof createPrivacyReceiptStore>;

const undone: ReceiptState[] = ["waiting", "asking", "again", "unmatched", "failed"];

/** Bodies of webhooks, for searching a person in them: no index finds one. */
export function createPrivacyReceiptStore(connection: Connection) {
  const model = recordModel(connection, receiptRecord);
  return {
    /** In the order of their digests, which an index has. */
    listBodies: async (environment: AccountId, after: string, limit: number): Promise<ReceiptBody[]> => {
      const found = model.find({ environment, digest: { $gt: after } }, { digest: 1, body: 1 });
      const rows = await found.sort({ digest: 1 }).limit(limit).lean();
      return rows.map(({ _id, digest, body }) => ({ id: _id, digest, body }));
    },
    /** The digest stays, so that a repeated webhook is recognised. */
    redact: async (ids: readonly string[]): Promise<void> => {
      const emptied = { body: redactedBody, reason: null, waitsFor: null, waitsForUser: null };
      const ofThese = { _id: { $in: [...ids] } };
      await model.updateMany(
        { ...ofThese, state: { $in: undone } },
        { $set: { ...emptied, state: "kept" }, $unset: { bytes: "" } },
      );
      await model.updateMany(ofThese, { $set: emptied, $unset: { bytes: "" } });
    },
    /** No effect when the body is not the one that was read. */
    rewrite: async ({ id, body }: Pick<ReceiptBody, "id" | "body">, to: string): Promise<void> => {
      await model.updateOne({ _id: id, body }, { $set: { body: to }, $unset: { bytes: "" } });
    },
  };
}
