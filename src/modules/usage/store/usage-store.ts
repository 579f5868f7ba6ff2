import type { Connection } from "mongoose";
import { openRecords } from "../../../storage/records.ts";
import { type UsageDay, usageDayRecord, type UsageWeek, usageWeekRecord } from "../rules/usage.ts";

/** Usage of one LMS, of one account, of both or, for null, of all. */
export type UsageOf = { registrationId: string | null; account: string | null };

/** Sums by day and by week. One record per LMS, account and day or week. */
export function createUsageStore(connection: Connection) {
  const days = openRecords(connection, usageDayRecord);
  const weeks = openRecords(connection, usageWeekRecord);

  return {
    /**
     * Sets what was counted, so counting again changes nothing. Grades and failures can only grow: they are counted from the latest record of
     * each, which may have moved to another day.
     */
    setDay: async (day: UsageDay): Promise<void> => {
      const { grades, failedLaunches, refusedScores, ...facts } = day;
      await days.save(
        { _id: `${day.registrationId} ${day.account} ${day.day}` },
        { $set: facts, $max: { grades, failedLaunches, refusedScores } },
      );
    },
    setWeek: async (week: UsageWeek): Promise<void> => {
      await weeks.save({ _id: `${week.registrationId} ${week.account} ${week.week}` }, { $set: week });
    },
    /** Days of all LMSs, from the first day (ms) on, before the second. */
    listDays: (from: number, before: number): Promise<UsageDay[]> =>
      days.list({ day: { $gte: from, $lt: before } }),
    /** Weeks that began in this time (ms), including both ends, oldest first. */
    listWeeks: async (
      { registrationId, account }: UsageOf,
      from: number,
      to: number,
    ): Promise<UsageWeek[]> => {
      const whose = {
        ...(registrationId === null ? {} : { registrationId }),
        ...(account === null ? {} : { account }),
      };
      return await weeks.list({ ...whose, week: { $gte: from, $lte: to } }, { sort: { week: 1 } });
    },
    /** The latest day with anything counted (ms), or null. */
    latestDay: async (): Promise<number | null> =>
      (await days.row({ day: { $gt: 0 } }, { sort: { day: -1 } }))?.day ?? null,
  };
}
