const dayMs = 24 * 3_600_000;
/** 1 January 1970 was a Thursday. */
const firstMondayMs = 4 * dayMs;
const weekMs = 7 * dayMs;

/** When the day of a moment began (ms, UTC). */
export function dayOf(at: number): number {
  return Math.floor(at / dayMs) * dayMs;
}

/** When the week of a moment began: Monday, 0:00 UTC (ms). */
export function weekOf(at: number): number {
  return Math.floor((at - firstMondayMs) / weekMs) * weekMs + firstMondayMs;
}

/** The days of a week, Monday first (ms). */
export function daysOfWeek(week: number): readonly number[] {
  return Array.from({ length: 7 }, (_none, n) => week + n * dayMs);
}

/** The weeks from one moment's to another's, both included (ms). */
export function weeksBetween(from: number, to: number): readonly number[] {
  const [first, last] = [weekOf(from), weekOf(to)];
  return Array.from({ length: Math.max(0, (last - first) / weekMs + 1) }, (_none, n) => first + n * weekMs);
}

/** How much of a span lies in each day (ms). */
export function byDay({ from, to }: { from: number; to: number }): readonly { day: number; ms: number }[] {
  const first = dayOf(from);
  // Of whom only the coming was told, there is a day, too.
  const parts = [{ day: first, ms: Math.min(to, first + dayMs) - from }];
  for (let day = first + dayMs; day < to; day += dayMs) parts.push({ day, ms: Math.min(to - day, dayMs) });
  return parts;
}

/** Days are counted again so often, for what is told late. */
const recountedDays = 3;
/** What happened earlier is not looked for (weeks). */
const maxWeeksBack = 8;

/**
 * The weeks to be counted now, oldest first: those of the last days, and what was left out while the tool was off.
 * @param latest The latest day that was counted; null for none.
 */
export function weeksToCount(now: number, latest: number | null): readonly number[] {
  const yesterday = dayOf(now) - dayMs;
  const oldest = weekOf(now) - maxWeeksBack * weekMs;
  const recounted = yesterday - (recountedDays - 1) * dayMs;
  const missing = latest === null ? oldest : latest + dayMs;
  return weeksBetween(Math.max(oldest, Math.min(recounted, missing)), yesterday);
}
