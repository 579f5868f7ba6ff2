import type { Connection } from "mongoose";
import { readerOf } from "../../../domain/record.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { type MailedAlarm, mailedAlarmRecord } from "../rules/records.ts";

export type MailedAlarmStore = ReturnType<typeof createMailedAlarmStore>;

/** Alarms that operators were told of, one record each. */
export function createMailedAlarmStore(connection: Connection) {
  const model = recordModel(connection, mailedAlarmRecord);

  return {
    list: async (): Promise<MailedAlarm[]> => (await model.find({}).limit(1_000).lean()).map(toAlarm),
    find: async (id: string): Promise<MailedAlarm | null> => {
      const row = await model.findById(id).lean();
      return row === null ? null : toAlarm(row);
    },
    /** It is on, for the first time or again. */
    open: async ({ id, ...facts }: MailedAlarm): Promise<void> => {
      await retriedOnDuplicate(() => model.updateOne({ _id: id }, { $set: facts }, { upsert: true }));
    },
    end: async (id: string, now: number): Promise<void> => {
      await model.updateOne({ _id: id, endedAt: null }, { $set: { endedAt: now } });
    },
  };
}

const toAlarm = readerOf(mailedAlarmRecord);
