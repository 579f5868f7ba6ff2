import { placed } from "../../scheduling/rules/recurrence.ts";
import { timeZoneOf, wallTimeOf } from "../../scheduling/rules/time-zone.ts";
import { weeklyUsefulMs } from "./limits.ts";

/** On Mondays, on the course's own clock. */
const weeklyTime = "07:00";

/** A week of a course, by its Monday ("2026-11-16"): the same week when the course's time zone changes. It begins and ends at midnight there (ms). */
export type CourseWeek = { monday: string; from: number; to: number };

const dayMs = 24 * 3_600_000;

/**
 * The week whose mails are due: from Monday's hour on, while they say something new. @param now ms @param timeZone The course's; UTC for
 * none, and for one that this machine does not know.
 */
export function weekToMail(now: number, timeZone: string | null): CourseWeek | null {
  const zone = zoneOf(timeZone);
  const thisMonday = mondayOf(wallTimeOf(now, zone).date);
  const week = weekFrom(daysAfter(thisMonday, -7), zone);
  return weeklyMoment(now, timeZone) <= now && now < week.to + weeklyUsefulMs ? week : null;
}

/** When mails are sent in the present week (ms). */
export function weeklyMoment(now: number, timeZone: string | null): number {
  const zone = zoneOf(timeZone);
  return momentOf(mondayOf(wallTimeOf(now, zone).date), weeklyTime, zone);
}

/** @param monday Such as "2026-11-16". */
export function weekFrom(monday: string, timeZone: string | null): CourseWeek {
  const zone = zoneOf(timeZone);
  const from = momentOf(monday, "00:00", zone);
  return { monday, from, to: momentOf(daysAfter(monday, 7), "00:00", zone) };
}

function zoneOf(timeZone: string | null): string {
  return timeZoneOf(timeZone ?? "") ?? "UTC";
}

function momentOf(date: string, time: string, zone: string): number {
  return placed(date, time, 0, zone).startsAt;
}

function mondayOf(date: string): string {
  const sundayFirst = new Date(`${date}T12:00:00Z`).getUTCDay();
  return daysAfter(date, -((sundayFirst + 6) % 7));
}

function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T12:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}
