import type { UsageWeek } from "./records.ts";
import { addUp, noUsage, type UsageNumbers, usageMeasures } from "./usage-sums.ts";

export type WeekOfReport = UsageNumbers & { week: number };

/** A whole period of an LMS or account. People and courses are those of the busiest week: a sum would count them often. */
export type Period = UsageNumbers & { id: string };

/** Every week of a period, also those in which nothing happened. */
export function byWeek(rows: readonly UsageWeek[], weeks: readonly number[]): readonly WeekOfReport[] {
  const of = Map.groupBy(rows, ({ week }) => week);
  return weeks.map((week) => ({ week, ...addUp(of.get(week) ?? []) }));
}

/** The period of each LMS, or of each account; the one with most people first. */
export function periods(rows: readonly UsageWeek[], by: "registrationId" | "account"): readonly Period[] {
  return [...Map.groupBy(rows, (row) => row[by])]
    .map(([id, own]) => ({ id, ...periodOf([...Map.groupBy(own, ({ week }) => week).values()].map(addUp)) }))
    .toSorted((one, other) => other.people - one.people || (one.id < other.id ? -1 : 1));
}

/** The weeks of a period together. */
export function periodOf(weeks: readonly UsageNumbers[]): UsageNumbers {
  const busiest = (name: "people" | "courses") => Math.max(0, ...weeks.map((week) => week[name]));
  return { ...addUp(weeks), people: busiest("people"), courses: busiest("courses") };
}

export function isUsed(numbers: UsageNumbers): boolean {
  return usageMeasures.some((measure) => numbers[measure] !== noUsage[measure]);
}
