import type { AccountId } from "../../../domain/account.ts";
import { describeRecord, index, type ItemOf, number, text, textOf } from "../../../domain/record.ts";

const numbers = {
  courses: number,
  sessions: number,
  people: number,
  minutes: number,
  grades: number,
  failedLaunches: number,
  refusedScores: number,
};
/** Three years, and a week that has begun. */
const keptDays = 3 * 366 + 7;

/** One for each LMS, account and day of UTC on which something happened. */
export const usageDayRecord = describeRecord("UsageDay", {
  id: null,
  fields: { registrationId: text, account: textOf<AccountId>(), day: number, ...numbers },
  indexes: [index("day"), index("registrationId", "day")],
  held: {
    key: "usageDays",
    holds:
      "how much an LMS was used on a day: numbers of courses, sessions, people, minutes, grades and failures; no person",
    kept: "three years",
    purged: { days: keptDays, field: "day" },
  },
});
export type UsageDay = ItemOf<typeof usageDayRecord>;

/** The days of a week added up; people and courses are counted once for it. */
export const usageWeekRecord = describeRecord("UsageWeek", {
  id: null,
  fields: { registrationId: text, account: textOf<AccountId>(), week: number, ...numbers },
  indexes: [index("week"), index("registrationId", "week"), index("account", "week")],
  held: {
    key: "usageWeeks",
    holds: "how much an LMS was used in a week, as the sum of its days; no person",
    kept: "three years",
    purged: { days: keptDays, field: "week" },
  },
});
export type UsageWeek = ItemOf<typeof usageWeekRecord>;

export const usageRecords = [usageDayRecord, usageWeekRecord];
