import type { Connection } from "mongoose";
import { readerOf } from "../../../domain/record.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { consoleIdleMs, type ConsoleSessionRow, consoleSessionRecord } from "../rules/console-session.ts";

export type ConsoleSessionStore = ReturnType<typeof createConsoleSessionStore>;

const read = readerOf(consoleSessionRecord);

export function createConsoleSessionStore(connection: Connection) {
  const model = recordModel(connection, consoleSessionRecord);

  return {
    insert: async ({ id, ...facts }: ConsoleSessionRow): Promise<void> => {
      await model.create({ _id: id, ...facts });
    },
    find: async (id: string): Promise<ConsoleSessionRow | null> => {
      const row = await model.findOne({ _id: id }).lean();
      return row === null ? null : read(row);
    },
    used: async (id: string, at: number): Promise<void> => {
      await model.updateOne({ _id: id }, { $max: { usedAt: at } });
    },
    /** @returns false: it had ended. */
    end: async (id: string): Promise<boolean> => (await model.deleteOne({ _id: id })).deletedCount === 1,
    /** Those used last first. */
    listLive: async (now: number, limit: number): Promise<ConsoleSessionRow[]> =>
      (
        await model
          .find({ endsAt: { $gt: new Date(now) }, usedAt: { $gt: now - consoleIdleMs } })
          .sort({ usedAt: -1, _id: 1 })
          .limit(limit)
          .lean()
      ).map(read),
  };
}
