import { readerOf } from "../../../domain/record.ts";
import { recordModel } from "../../../storage/record-model.ts";
import type { Connection } from "mongoose";
import { type Restore, restoreRecord } from "../rules/restore.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

export type RestoreStore = ReturnType<typeof createRestoreStore>;

/** How long a process remembers the latest restore. */
const cacheTtlMs = 30_000;

/** Restores from a backup. */
export function createRestoreStore(connection: Connection, elapsed = () => performance.now()) {
  const restores = recordModel(connection, restoreRecord);

  let known: { restore: Restore | null; at: number } | null = null;

  return {
    /** A restore is stored once. */
    note: async ({ id, ...facts }: Restore): Promise<void> => {
      await retriedOnDuplicate(() =>
        restores.updateOne({ _id: id }, { $setOnInsert: { _id: id, ...facts } }, { upsert: true }),
      );
      known = null;
    },
    /** Restores after which courses are still to be put on the way. */
    listToBegin: async (): Promise<Restore[]> =>
      (await restores.find({ begun: false }).lean()).map(toRestore),
    haveBegun: async (id: string): Promise<void> => {
      await restores.updateOne({ _id: id }, { $set: { begun: true } });
    },
    /** As of half a minute ago; null for none. */
    latest: async (): Promise<Restore | null> => {
      if (known === null || elapsed() - known.at > cacheTtlMs) {
        const row = await restores.findOne({}).sort({ restoredAt: -1 }).lean();
        known = { restore: row === null ? null : toRestore(row), at: elapsed() };
      }
      return known.restore;
    },
  };
}

const toRestore = readerOf(restoreRecord);
