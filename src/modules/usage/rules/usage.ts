import type { AccountId } from "../../../domain/account.ts";
import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";
import { assumedLengthMs } from "../../../domain/classroom-event.ts";
import { compareText, ofEach } from "../../../kernel/lists.ts";
import { dayMs, weekMs } from "../../../kernel/clock.ts";

const numbers = {
  courses: field.number,
  sessions: field.number,
  people: field.number,
  minutes: field.number,
  grades: field.number,
  failedLaunches: field.number,
  refusedScores: field.number,
};
/** Three years, and a week that has begun. */
const retentionDays = 3 * 366 + 7;

/** One per LMS, account and day (UTC) on which something happened. */
export const usageDayRecord = describeRecord("UsageDay", {
  id: null,
  fields: { registrationId: field.text, account: field.textOf<AccountId>(), day: field.number, ...numbers },
  indexes: [index("day"), index("registrationId", "day")],
  personalData: {
    key: "usageDays",
    holds:
      "an LMS's usage in a day: numbers of courses, sessions, people, minutes, grades and failures; no person",
    stored: "three years",
    purged: { days: retentionDays, field: "day" },
  },
});
export type UsageDay = ItemOf<typeof usageDayRecord>;

/** The days of a week added up. People and courses are counted once for the week. */
export const usageWeekRecord = describeRecord("UsageWeek", {
  id: null,
  fields: { registrationId: field.text, account: field.textOf<AccountId>(), week: field.number, ...numbers },
  indexes: [index("week"), index("registrationId", "week"), index("account", "week")],
  personalData: {
    key: "usageWeeks",
    holds: "an LMS's usage in a week; no person",
    stored: "three years",
    purged: { days: retentionDays, field: "week" },
  },
});
export type UsageWeek = ItemOf<typeof usageWeekRecord>;

export const usageRecords = [usageDayRecord, usageWeekRecord];

/** 1 January 1970 was a Thursday. */
const firstMondayMs = 4 * dayMs;

/** When a moment's day began (ms, UTC). */
export function dayOf(at: number): number {
  return Math.floor(at / dayMs) * dayMs;
}

/** When a moment's week began: Monday, 0:00 UTC (ms). */
export function weekOf(at: number): number {
  return Math.floor((at - firstMondayMs) / weekMs) * weekMs + firstMondayMs;
}

/** The days of a week, Monday first (ms). */
export function daysOfWeek(week: number): readonly number[] {
  return Array.from({ length: 7 }, (_none, n) => week + n * dayMs);
}

/** The weeks from one moment's to another's, including both (ms). */
export function weeksBetween(from: number, to: number): readonly number[] {
  const [first, last] = [weekOf(from), weekOf(to)];
  return Array.from({ length: Math.max(0, (last - first) / weekMs + 1) }, (_none, n) => first + n * weekMs);
}

/** How much of a span is in each day (ms). */
export function byDay({ from, to }: { from: number; to: number }): readonly { day: number; ms: number }[] {
  const first = dayOf(from);
  // A person whose coming is all that was reported has a day, too.
  const parts = [{ day: first, ms: Math.min(to, first + dayMs) - from }];
  for (let day = first + dayMs; day < to; day += dayMs) parts.push({ day, ms: Math.min(to - day, dayMs) });
  return parts;
}

/** How many of the latest days are counted again, because reports may come late. */
const recountedDays = 3;
/** How many weeks back to look. Earlier events are ignored. */
const maxWeeksBack = 8;

/**
 * The weeks to count now, oldest first: those of the last days, and those skipped while the tool was off.
 * @param latest The latest day that was counted, or null.
 */
export function weeksToCount(now: number, latest: number | null): readonly number[] {
  const yesterday = dayOf(now) - dayMs;
  const oldest = weekOf(now) - maxWeeksBack * weekMs;
  const recounted = yesterday - (recountedDays - 1) * dayMs;
  const missing = latest === null ? oldest : latest + dayMs;
  return weeksBetween(Math.max(oldest, Math.min(recounted, missing)), yesterday);
}

/** What was counted for a day or a week. People and courses are counted once. */
export type UsageNumbers = Record<keyof typeof numbers, number>;

/** In the order of tables and files. */
export const usageMeasures = [
  "courses",
  "sessions",
  "people",
  "minutes",
  "grades",
  "failedLaunches",
  "refusedScores",
] as const satisfies readonly (keyof UsageNumbers)[];

export const noUsage: UsageNumbers = ofEach(usageMeasures, () => 0);

/** Adds up several LMSs, accounts or days. A person in two of them counts twice. */
export function addUp(all: readonly UsageNumbers[]): UsageNumbers {
  const sums = { ...noUsage };
  for (const one of all) for (const measure of usageMeasures) sums[measure] += one[measure];
  return sums;
}

/** Adds up the days of a week. People and courses are those counted once for the whole week. */
export function weekOfDays(
  days: readonly UsageNumbers[],
  once: Pick<UsageNumbers, "courses" | "people">,
): UsageNumbers {
  return { ...addUp(days), ...once };
}

export type WeekOfReport = UsageNumbers & { week: number };

/** A whole period of an LMS or account. People and courses are the busiest week's, because a sum would count them repeatedly. */
export type Period = UsageNumbers & { id: string };

/** Every week of a period, including those in which nothing happened. */
export function byWeek(rows: readonly UsageWeek[], weeks: readonly number[]): readonly WeekOfReport[] {
  const of = Map.groupBy(rows, ({ week }) => week);
  return weeks.map((week) => ({ week, ...addUp(of.get(week) ?? []) }));
}

/** The period of each LMS, or of each account. The one with the most people comes first. */
export function periods(rows: readonly UsageWeek[], by: "registrationId" | "account"): readonly Period[] {
  return [...Map.groupBy(rows, (row) => row[by])]
    .map(([id, own]) => ({ id, ...periodOf([...Map.groupBy(own, ({ week }) => week).values()].map(addUp)) }))
    .toSorted((one, other) => other.people - one.people || compareText(one.id, other.id));
}

export function periodOf(weeks: readonly UsageNumbers[]): UsageNumbers {
  const busiest = (name: "people" | "courses") => Math.max(0, ...weeks.map((week) => week[name]));
  return { ...addUp(weeks), people: busiest("people"), courses: busiest("courses") };
}

export function isUsed(numbers: UsageNumbers): boolean {
  return usageMeasures.some((measure) => numbers[measure] !== noUsage[measure]);
}

/** A scheduled event of a Space. Times in ms, null if unknown. */
type PlannedEvent = { startsAt: number; endsAt: number | null; attended: boolean };

/** What was seen of a session in a Space: from the first coming to the last leaving (ms). */
export type SeenSession = { from: number; to: number };

/**
 * When sessions of one Space were held (ms): scheduled events that somebody attended or was in the Space during, and sessions in the Space
 * outside all scheduled events.
 */
export function sessionStarts(
  events: readonly PlannedEvent[],
  seen: readonly SeenSession[],
): readonly number[] {
  const attended = events.filter(
    (event) => event.attended || seen.some((session) => overlaps(session, spanOf(event))),
  );
  const unplanned = seen.filter((session) => !events.some((event) => overlaps(session, spanOf(event))));
  return [...attended.map(({ startsAt }) => startsAt), ...unplanned.map(({ from }) => from)];
}

function spanOf({ startsAt, endsAt }: PlannedEvent): SeenSession {
  return { from: startsAt, to: endsAt ?? startsAt + assumedLengthMs };
}

function overlaps(one: SeenSession, other: SeenSession): boolean {
  return one.from < other.to && other.from < one.to;
}
