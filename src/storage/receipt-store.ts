import { type Connection, Schema } from "mongoose";
import type { Receipt } from "../domain/receipt.ts";
import { isDuplicateKey } from "./duplicate-key.ts";
import { type LeaseFields, leaseFields, released } from "./lease.ts";

type ReceiptRow = Omit<Receipt, "id"> & LeaseFields & { _id: string };

export type ReceiptStore = ReturnType<typeof createReceiptStore>;

/** What is still to do with a receipt after it was looked at. */
export type ReceiptOutcome = Pick<Receipt, "state" | "reason" | "nextTryAt">;

/** Webhooks as they arrived; identity is environment + digest of the body. */
export function createReceiptStore(connection: Connection) {
  const schema = new Schema<ReceiptRow>(
    {
      _id: { type: String, required: true },
      environment: { type: String, required: true },
      digest: { type: String, required: true },
      body: { type: String, required: true },
      receivedAt: { type: Number, required: true },
      state: { type: String, required: true },
      attempts: { type: Number, required: true },
      nextTryAt: { type: Number, required: true },
      reason: { type: String, default: null },
      ...leaseFields,
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ environment: 1, digest: 1 }, { unique: true });
  schema.index({ state: 1, nextTryAt: 1 });
  schema.index({ state: 1, receivedAt: 1 });
  const model = connection.model<ReceiptRow>("Receipt", schema);

  return {
    /** Stores a webhook durably. @returns false when the same body was stored before. */
    insert: async (receipt: Receipt): Promise<boolean> => {
      const { id, ...rest } = receipt;
      try {
        await model.create({ _id: id, ...rest, ...released });
        return true;
      } catch (thrown) {
        if (isDuplicateKey(thrown)) return false;
        throw thrown;
      }
    },
    /** Takes the receipt that is due longest, fresh ones first, until `until`; null when none is due. */
    claimDue: async (holder: string, now: number, until: number): Promise<Receipt | null> => {
      // One state a query: an index then gives the oldest at once, where a list of states would be sorted.
      for (const state of ["waiting", "unmatched"] as const) {
        const row = await model
          .findOneAndUpdate(
            { state, nextTryAt: { $lte: now }, leaseUntil: { $lte: now } },
            { $set: { leaseHolder: holder, leaseUntil: until }, $inc: { attempts: 1 } },
            { sort: { nextTryAt: 1 }, returnDocument: "after" },
          )
          .lean();
        if (row !== null) return toReceipt(row);
      }
      return null;
    },
    /** Lengthens a claim; without effect when it was lost. */
    extend: async (id: string, holder: string, until: number): Promise<void> => {
      await model.updateOne({ _id: id, leaseHolder: holder }, { $set: { leaseUntil: until } });
    },
    /** Writes down what became of a claimed receipt; without effect when the claim was lost. */
    settle: async (id: string, holder: string, outcome: ReceiptOutcome): Promise<void> => {
      await model.updateOne({ _id: id, leaseHolder: holder }, { $set: { ...outcome, ...released } });
    },
    /** Makes unmatched receipts due at once: something they may have waited for has appeared. */
    retryUnmatched: async (now: number): Promise<void> => {
      await model.updateMany({ state: "unmatched", nextTryAt: { $gt: now } }, { $set: { nextTryAt: now } });
    },
    /** Arrival of the oldest receipt that is still to be processed (unmatched ones wait for people). */
    oldestWaiting: async (): Promise<number | null> => {
      const row = await model.findOne({ state: "waiting" }).sort({ receivedAt: 1 }).lean();
      return row?.receivedAt ?? null;
    },
    countByState: async (): Promise<Record<Receipt["state"], number>> => ({
      waiting: await model.countDocuments({ state: "waiting" }),
      unmatched: await model.countDocuments({ state: "unmatched" }),
      done: await model.countDocuments({ state: "done" }),
      kept: await model.countDocuments({ state: "kept" }),
      failed: await model.countDocuments({ state: "failed" }),
    }),
  };
}

function toReceipt({ _id, leaseHolder: _holder, leaseUntil: _until, ...receipt }: ReceiptRow): Receipt {
  return { id: _id, ...receipt };
}
