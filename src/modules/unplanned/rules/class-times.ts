import { placed } from "../../scheduling/rules/recurrence.ts";
import { wallTimeOf } from "../../scheduling/rules/time-zone.ts";

type Times = { startsAt: number; endsAt: number };

const dayMs = 24 * 3_600_000;
const longestMs = 12 * 3_600_000;
const clockTime = /^([01]\d|2[0-3]):[0-5]\d$/;

/**
 * A class's times as an instructor typed them, on a clock in the course's zone: the start nearest to the one that was found, and
 * the first such end after it. @returns null for what is no time, longer than twelve hours, or not over yet.
 */
export function typedTimes(
  found: Times,
  typed: { began: string; ended: string },
  timeZone: string,
  now: number,
): Times | null {
  if (!clockTime.test(typed.began) || !clockTime.test(typed.ended)) return null;
  const startsAt = nearest(found.startsAt, typed.began, timeZone);
  const endsAt =
    startsAt === found.startsAt && typed.ended === wallTimeOf(found.endsAt, timeZone).time
      ? found.endsAt
      : firstAfter(startsAt, typed.ended, timeZone);
  return endsAt > now || endsAt - startsAt > longestMs ? null : { startsAt, endsAt };
}

function nearest(found: number, time: string, timeZone: string): number {
  if (wallTimeOf(found, timeZone).time === time) return found;
  const near = around(found, time, timeZone);
  return near.reduce((best, at) => (Math.abs(at - found) < Math.abs(best - found) ? at : best));
}

function firstAfter(startsAt: number, time: string, timeZone: string): number {
  return Math.min(...around(startsAt, time, timeZone).filter((at) => at > startsAt));
}

/** The moments at which a clock shows this time, from the day before to the day after. */
function around(at: number, time: string, timeZone: string): number[] {
  return [at - dayMs, at, at + dayMs, at + 2 * dayMs].map(
    (day) => placed(wallTimeOf(day, timeZone).date, time, 0, timeZone).startsAt,
  );
}
