import type { Connection } from "mongoose";
import { readerOf } from "../../../domain/record.ts";
import { type PendingRegrade, pendingRegradeRecord } from "../rules/records.ts";
import { type DueRange, dueHeadsOf, everything } from "../../../storage/due-heads.ts";
import { recordModel } from "../../../storage/record-model.ts";

export type PendingRegradeStore = ReturnType<typeof createPendingRegradeStore>;

/** Notes stored before a change and deleted once its scores are wanted, so that a crash costs seconds. */
export function createPendingRegradeStore(connection: Connection) {
  const model = recordModel(connection, pendingRegradeRecord);
  const firstDue = async (_scope: string, dueAt: DueRange) => {
    const row = await model.findOne({ dueAt }).sort({ dueAt: 1 }).lean();
    return row === null ? null : { dueAt: row.dueAt, leaseUntil: 0 };
  };
  const queue = dueHeadsOf(connection).queue("owed-grades", firstDue);

  return {
    note: async ({ id, ...pending }: PendingRegrade): Promise<void> => {
      await queue.announced(everything, pending.dueAt, () => model.insertOne({ _id: id, ...pending }));
    },
    postpone: async (id: string, dueAt: number): Promise<boolean> =>
      (await model.updateOne({ _id: id }, { $set: { dueAt } })).matchedCount === 1,
    remove: async (id: string): Promise<void> => {
      await model.deleteOne({ _id: id });
    },
    /** Due again at `until` unless removed. */
    claimDue: async (now: number, until: number): Promise<PendingRegrade | null> => {
      const take = () =>
        model
          .findOneAndUpdate(
            { dueAt: { $lte: now } },
            { $set: { dueAt: until } },
            { sort: { dueAt: 1 }, returnDocument: "after" },
          )
          .lean();
      const row = await queue.claim(now, { take });
      return row === null ? null : toPending(row);
    },
  };
}

const toPending = readerOf(pendingRegradeRecord);
