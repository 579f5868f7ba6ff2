import { type Connection, Schema } from "mongoose";
import type { Receipt } from "../domain/receipt.ts";
import { isDuplicateKey } from "./duplicate-key.ts";
import { type LeaseFields, leaseFields, released } from "./lease.ts";

type ReceiptRow = Omit<Receipt, "id"> & LeaseFields & { _id: string };

/** Filter for receipts that may be claimed. */
type Due = Pick<Receipt, "state"> & Record<"nextTryAt" | "leaseUntil", { $lte: number }>;

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
  const claim = async (ids: readonly string[], due: Due, holder: string, until: number) => {
    await model.updateMany(
      { _id: { $in: [...ids] }, ...due },
      { $set: { leaseHolder: holder, leaseUntil: until }, $inc: { attempts: 1 } },
    );
    return model.find({ _id: { $in: [...ids] }, leaseHolder: holder }).lean();
  };

  return {
    /** Stores a webhook durably. @returns false when the same body was stored before. */
    insert: async (receipt: Receipt): Promise<boolean> => {
      const { id, ...rest } = receipt;
      const row: Record<string, unknown> = { _id: id, ...rest, ...released } satisfies ReceiptRow;
      try {
        // Past mongoose's documents: of a burst, making and checking those was a tenth of all the work.
        await model.collection.insertOne(row);
        return true;
      } catch (thrown) {
        if (isDuplicateKey(thrown)) return false;
        throw thrown;
      }
    },
    /** Takes the receipts that are due longest, fresh ones first, until `until`; at most so many, none when none is due. */
    claimDue: async (holder: string, now: number, until: number, most: number): Promise<Receipt[]> => {
      // One state a query: an index then gives the oldest at once, where a list of states would be sorted.
      for (const state of ["waiting", "unmatched"] as const) {
        for (let found = most; found === most;) {
          const due = { state, nextTryAt: { $lte: now }, leaseUntil: { $lte: now } };
          const some = await model.find(due, { _id: 1 }).sort({ nextTryAt: 1 }).limit(most).lean();
          const ids = some.map(({ _id }) => _id);
          const rows = ids.length === 0 ? [] : await claim(ids, due, holder, until);
          if (rows.length > 0) return rows.map(toReceipt);
          // Somebody else was faster: there may be more behind those.
          found = ids.length;
        }
      }
      return [];
    },
    /** Lengthens claims; without effect on those that were lost. */
    extend: async (ids: readonly string[], holder: string, until: number): Promise<void> => {
      await model.updateMany(
        { _id: { $in: [...ids] }, leaseHolder: holder },
        { $set: { leaseUntil: until } },
      );
    },
    /** Writes down what became of claimed receipts, the same of all; without effect where the claim was lost. */
    settle: async (ids: readonly string[], holder: string, outcome: ReceiptOutcome): Promise<void> => {
      await model.updateMany(
        { _id: { $in: [...ids] }, leaseHolder: holder },
        { $set: { ...outcome, ...released } },
      );
    },
    /**
     * Deletes receipts that arrived before a moment (ms) and took effect or are of no use to us, at most so many; what
     * failed or waits is kept. @returns how many were deleted.
     */
    purge: async (before: number, limit: number): Promise<number> => {
      let deleted = 0;
      for (const state of ["done", "kept"] as const) {
        const old = { state, receivedAt: { $lt: before } };
        const some = await model
          .find(old, { _id: 1 })
          .limit(limit - deleted)
          .lean();
        if (some.length === 0) continue;
        await model.deleteMany({ _id: { $in: some.map(({ _id }) => _id) } });
        deleted += some.length;
        if (deleted >= limit) break;
      }
      return deleted;
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
