import { recordModel } from "../../../storage/record-model.ts";
import { alarmRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

export type AlarmStore = ReturnType<typeof createAlarmStore>;

/** Alarms that are on, one record for each kind: of all processes one says so, when it begins and when it ends. */
export function createAlarmStore(connection: Connection) {
  const model = recordModel(connection, alarmRecord);

  return {
    /** @returns true for the one caller that has switched it on; false when it was on. */
    raise: async (name: string, now: number): Promise<boolean> => {
      await retriedOnDuplicate(() =>
        model.updateOne({ _id: name }, { $setOnInsert: { _id: name, since: null } }, { upsert: true }),
      );
      return (await model.updateOne({ _id: name, since: null }, { $set: { since: now } })).matchedCount === 1;
    },
    /** @returns since when it had been on (ms), to the one caller that has switched it off; null when it was off. */
    end: async (name: string): Promise<number | null> => {
      const row = await model
        .findOneAndUpdate({ _id: name, since: { $ne: null } }, { $set: { since: null } })
        .lean();
      return row?.since ?? null;
    },
  };
}
