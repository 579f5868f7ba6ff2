import { RRuleTemporal } from "rrule-temporal";
import { Temporal } from "temporal-polyfill";

/** Named as in RFC 5545, Monday first. */
export const weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"] as const;

export type Weekday = (typeof weekdays)[number];

/** A series ends after a number of dates, or with the last date on or before a day ("2027-02-12"). */
export type SeriesEnd = { kind: "count"; count: number } | { kind: "until"; date: string };

/** The part of RFC 5545's RRULE (FREQ, INTERVAL, BYDAY, COUNT, UNTIL) that a timetable needs. */
export type Recurrence =
  | { every: "once" }
  | { every: "day"; interval: number; end: SeriesEnd }
  | { every: "week"; interval: number; days: readonly Weekday[]; end: SeriesEnd };

export type SessionTimes = {
  /** Such as "2026-10-19". A weekly series begins with the first of its days on or after it. */
  date: string;
  /** Such as "10:00". */
  time: string;
  minutes: number;
  /** IANA name. */
  timeZone: string;
};

/**
 * A clock change at a wall-clock time. "skipped": the time doesn't exist that day, and the session begins later by the jump (02:30 becomes
 * 03:30). "repeated": it comes twice, and the first one is meant.
 */
type ClockOddity = "skipped" | "repeated";

export type Occurrence = { date: string; startsAt: number; endsAt: number; oddity: ClockOddity | null };

/** Instances per plan, at most. */
export const maxOccurrences = 200;
/** The longest series, in years. */
const maxYears = 2;

/** The dates of a plan, and the bound that cut it short, or null. */
type Occurrences = { list: Occurrence[]; cut: "number" | "years" | null };

/**
 * Lists the dates in order, each at the same wall-clock time. Computes all dates first and then puts each on the clock, so clock changes never
 * move or lose a date.
 */
export function occurrencesOf(times: SessionTimes, recurrence: Recurrence): Occurrences {
  const first = Temporal.PlainDate.from(times.date);
  const last = first.add({ years: maxYears }).toString();
  const dates = recurrence.every === "once" ? [times.date] : datesOf(first, recurrence);
  const within = dates.filter((date) => date <= last);
  const list = within
    .slice(0, maxOccurrences)
    .map((date) => ({ date, ...placed(date, times.time, times.minutes, times.timeZone) }));
  if (within.length > maxOccurrences) return { list, cut: "number" };
  return { list, cut: within.length < dates.length ? "years" : null };
}

/** Computes one date more than allowed, which shows that there are more. */
function datesOf(first: Temporal.PlainDate, recurrence: Exclude<Recurrence, { every: "once" }>): string[] {
  const utc = (date: Temporal.PlainDate) => date.toZonedDateTime("UTC");
  const { end } = recurrence;
  const rule = new RRuleTemporal({
    dtstart: utc(first),
    freq: recurrence.every === "day" ? "DAILY" : "WEEKLY",
    interval: recurrence.interval,
    wkst: "MO",
    ...(recurrence.every === "week" ? { byDay: [...recurrence.days] } : {}),
    ...(end.kind === "count"
      ? { count: Math.min(end.count, maxOccurrences + 1) }
      : {
          until: utc(earlier(Temporal.PlainDate.from(end.date), first.add({ years: maxYears, days: 370 }))),
        }),
  });
  return rule.all((_date, at) => at <= maxOccurrences).map((date) => date.toString().slice(0, 10));
}

function earlier(one: Temporal.PlainDate, other: Temporal.PlainDate): Temporal.PlainDate {
  return Temporal.PlainDate.compare(one, other) < 0 ? one : other;
}

/** A wall-clock time as moments (ms), see {@link ClockOddity}. The length is real time, even across a clock change. */
export function placed(date: string, time: string, minutes: number, timeZone: string) {
  const wall = Temporal.PlainDateTime.from(`${date}T${time}`);
  const chosen = wall.toZonedDateTime(timeZone, { disambiguation: "compatible" });
  const other = wall.toZonedDateTime(timeZone, { disambiguation: "later" });
  const startsAt = chosen.epochMilliseconds;
  return { startsAt, endsAt: startsAt + minutes * 60_000, oddity: oddityOf(wall, chosen, other) };
}

function oddityOf(
  wall: Temporal.PlainDateTime,
  chosen: Temporal.ZonedDateTime,
  later: Temporal.ZonedDateTime,
): ClockOddity | null {
  if (!chosen.toPlainDateTime().equals(wall)) return "skipped";
  return chosen.equals(later) ? null : "repeated";
}

/** @param daysOff As in `Course`. */
export function isDayOff(daysOff: readonly string[], date: string): boolean {
  return daysOff.some((each) => {
    const [from = "", to = from] = each.split("/");
    return from <= date && date <= to;
  });
}

/** "10:00" and 90 minutes give "11:30". Empty if no number was typed. */
export function endOf(time: string, minutes: number): string {
  const [hours = 0, rest = 0] = time.split(":").map(Number);
  const end = hours * 60 + rest + minutes;
  if (Number.isNaN(end)) return "";
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  return `${twoDigits(Math.floor(end / 60) % 24)}:${twoDigits(end % 60)}`;
}

export function isTime(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
}
