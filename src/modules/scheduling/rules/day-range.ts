import { z } from "zod";
import { timeZoneOf, wallTimeOf } from "./time-zone.ts";

/** First and last day, such as "2026-11-21"; null for no bound. */
export type DayRange = { from: string | null; to: string | null };

export const allDays: DayRange = { from: null, to: null };

export function isBounded({ from, to }: DayRange): boolean {
  return from !== null || to !== null;
}

/**
 * Whether what starts then starts on one of the days. What has no date is outside as soon as there is a bound.
 * @param timeZone The course's, in which days begin; UTC without one.
 */
export function isWithin(days: DayRange, startsAt: number | null, timeZone: string | null): boolean {
  if (!isBounded(days)) return true;
  if (startsAt === null) return false;
  const { date } = wallTimeOf(startsAt, timeZoneOf(timeZone ?? "") ?? "UTC");
  return (days.from === null || date >= days.from) && (days.to === null || date <= days.to);
}

const day = z.iso.date().nullable().catch(null);
const shape = z.object({ from: day, to: day }).catch({ from: null, to: null });

/** What is no date is left out; days the wrong way round are turned. */
export function readDays(posted: unknown): DayRange {
  const { from, to } = shape.parse(posted ?? {});
  return from !== null && to !== null && from > to ? { from: to, to: from } : { from, to };
}
