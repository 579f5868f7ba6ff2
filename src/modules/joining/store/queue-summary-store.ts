import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import type { ItemOf } from "../../../domain/record.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { plainReads } from "../../../storage/plain-reads.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { maxSummaryAgeMs } from "../rules/limits.ts";
import { queueSummaryRecord } from "../rules/records.ts";

export type KeptSummary = Omit<ItemOf<typeof queueSummaryRecord>, "nextAt">;
export type QueueSummaryStore = ReturnType<typeof createQueueSummaryStore>;

/** What the process that last read the whole queue of an account tells the others. */
export function createQueueSummaryStore(connection: Connection) {
  const model = recordModel(connection, queueSummaryRecord);
  const reads = plainReads(model);
  return {
    find: async (environment: AccountId): Promise<KeptSummary | null> => {
      const row = await reads.one({ _id: environment });
      // A process was killed during the first reading.
      if (row === null || row.summary === null) return null;
      const { readAt, front, inTrouble, summary } = row;
      return { readAt, front, inTrouble, summary };
    },
    /** Of all processes that ask before `until` (ms), one is to read the queue. */
    claim: (environment: AccountId, now: number, until: number): Promise<boolean> =>
      retriedOnDuplicate(async () => {
        const first = { readAt: 0, front: "", inTrouble: false, summary: null };
        const isDue = { $not: { $gt: now, $lt: now + maxSummaryAgeMs } };
        const done = await model.updateOne({ _id: environment, nextAt: isDue }, { $set: { nextAt: until } });
        if (done.matchedCount === 1) return true;
        if ((await reads.one({ _id: environment }, { projection: { _id: 1 } })) !== null) return false;
        await model.create({ _id: environment, nextAt: until, ...first });
        return true;
      }),
    keep: async (environment: AccountId, summary: KeptSummary): Promise<void> => {
      await model.updateOne({ _id: environment }, { $set: summary });
    },
  };
}
