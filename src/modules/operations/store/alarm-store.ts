import { recordModel } from "../../../storage/record-model.ts";
import { alarmRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

export type AlarmStore = ReturnType<typeof createAlarmStore>;

/** One record for each kind: one of all processes reports its begin and end. */
export function createAlarmStore(connection: Connection) {
  const model = recordModel(connection, alarmRecord);

  return {
    /** @returns true for the one caller that has switched it on. */
    raise: async (name: string, now: number): Promise<boolean> => {
      await retriedOnDuplicate(() =>
        model.updateOne({ _id: name }, { $setOnInsert: { _id: name, since: null } }, { upsert: true }),
      );
      return (await model.updateOne({ _id: name, since: null }, { $set: { since: now } })).matchedCount === 1;
    },
    isOn: async (name: string): Promise<boolean> =>
      (await model.countDocuments({ _id: name, since: { $ne: null } })) > 0,
    /** @returns since when it was on (ms), to the one caller that has switched it off; else null. */
    end: async (name: string): Promise<number | null> => {
      const row = await model
        .findOneAndUpdate({ _id: name, since: { $ne: null } }, { $set: { since: null } })
        .lean();
      return row?.since ?? null;
    },
  };
}
