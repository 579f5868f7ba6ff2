import { wholePercent } from "../domain/attendance.ts";
import type { Course } from "../domain/course.ts";
import { cityOf, offsetOf, timeZoneOf } from "../modules/scheduling/rules/time-zone.ts";
import { numberText } from "./page-text.ts";
import type { Translate } from "./translate.ts";
import { dayMs, hourMs, minuteMs, weekMs } from "../kernel/clock.ts";
import { getOrMake } from "../kernel/lists.ts";

/** Writes dates and times. Only this and `views/assets/times.js` do so on pages, in the same form. All times are in ms. */
export type CourseTimes = ReturnType<typeof timesIn>;

/** Times in the course's zone, or in UTC. They are the same for all readers. @param locale The translator's locale. */
export function courseTimes({ timeZone }: Pick<Course, "timeZone">, locale: string): CourseTimes {
  return getOrMake(known, maxFormats, `${locale} ${timeZone ?? ""}`, () =>
    timesIn(timeZone ?? "UTC", locale),
  );
}

/** Formats are cached, because making one takes longer than formatting a page's times. Limited, because locales and zones come from outside. */
const maxFormats = 300;
const known = new Map<string, CourseTimes>();

const dayParts = { day: "numeric", month: "short" } as const;
const dateParts = { ...dayParts, weekday: "short", year: "numeric" } as const;
const clockParts = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

function timesIn(timeZone: string, given: string) {
  // English pages use one form for all readers.
  const isEnglish = /^en\b/i.test(given);
  const locale = isEnglish ? "en-GB" : given;
  const moments = formatIn(locale, { ...dateParts, ...clockParts }, timeZone);
  const zone = timeZoneOf(moments.resolvedOptions().timeZone) ?? "UTC";
  const dates = formatIn(locale, dateParts, zone);
  const days = formatIn(locale, dayParts, zone);
  const numbers = formatIn(locale, { day: "numeric" }, zone);
  const weekdays = formatIn(locale, { weekday: "short" }, zone);
  const weekdayNames = formatIn(locale, { weekday: "long" }, zone);
  const months = formatIn(locale, { month: "long", year: "numeric" }, zone);
  const shortMonths = formatIn(locale, { month: "short" }, zone);
  const clocks = formatIn(locale, clockParts, zone);
  // British English writes "Sat, 21 Nov 2026", but one comma in a date and time is enough.
  const written = (text: string) => (isEnglish ? text.replace(",", "") : text);
  const date = (at: number) => written(dates.format(at));
  const clock = (at: number) => clocks.format(at);
  const text = (at: number) => written(moments.format(at));
  return {
    /** The zone of the written times, such as "Europe/Berlin". */
    zone,
    /** "Sat 21 Nov 2026, 14:05" */
    text,
    /** "Sat 21 Nov 2026" */
    date,
    /** "14:05" */
    clock,
    /** "21 Nov" */
    day: (at: number) => days.format(at),
    /** "21" */
    dayOfMonth: (at: number) => numbers.formatToParts(at).find(({ type }) => type === "day")?.value ?? "",
    /** "Sat" */
    weekday: (at: number) => weekdays.format(at),
    /** "Saturday" */
    weekdayName: (at: number) => weekdayNames.format(at),
    /** "November 2026" */
    month: (at: number) => months.format(at),
    /** "Nov" */
    shortMonth: (at: number) => shortMonths.format(at),
    /** "Sat 21 Nov 2026, 14:05–15:00"; the end has a date if it is on another day. @param endsAt Null when unknown. */
    span: (startsAt: number, endsAt: number | null) => {
      if (endsAt === null) return text(startsAt);
      return date(startsAt) === date(endsAt)
        ? `${text(startsAt)}–${clock(endsAt)}`
        : `${text(startsAt)} – ${text(endsAt)}`;
    },
    /** The zone as people call it: "Berlin (CET)", "Nairobi (UTC+3)". @param at Decides between the names for summer and winter. */
    place: (at: number) => zoneNameOf(zone, locale, at),
  };
}

/** A zone that this machine doesn't know counts as UTC. */
function formatIn(locale: string, parts: Intl.DateTimeFormatOptions, timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, { ...parts, timeZone });
  } catch {
    return new Intl.DateTimeFormat(locale, { ...parts, timeZone: "UTC" });
  }
}

/** A sentence that names the time zone of a page. @param timeZone The course's; null until an instructor chooses one. */
export function zoneText(t: Translate, timeZone: string | null, times: CourseTimes, now: number): string {
  return timeZone === null
    ? t("sessions.zone.shownUtc")
    : t("sessions.zone.shown", { zone: times.place(now) });
}

function zoneNameOf(zone: string, locale: string, at: number): string {
  if (zone === "UTC") return zone;
  const short = (from: string) =>
    formatIn(from, { timeZoneName: "short" }, zone)
      .formatToParts(at)
      .find(({ type }) => type === "timeZoneName")?.value ?? "";
  // British English has names for Europe's zones, American English for America's.
  const names = (locale === "en-GB" ? [locale, "en-US"] : [locale]).map(short);
  const name = names.find((each) => /^\p{L}{2,5}$/u.test(each)) ?? `UTC${offsetOf(zone, at)}`;
  return `${cityOf(zone)} (${name})`;
}

export type ReaderFormat = ReturnType<typeof readerFormatIn>;

/** Formats for a reader. Days are those of the course's zone. */
export function readerFormat(t: Translate, zone: string): ReaderFormat {
  return getOrMake(knownReaderFormats, maxFormats, `${t.locale} ${zone}`, () => readerFormatIn(t, zone));
}

const knownReaderFormats = new Map<string, ReaderFormat>();

function readerFormatIn(t: Translate, zone: string) {
  const { locale } = t;
  const percents = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 });
  const { dayOfMonth, weekday, month } = courseTimes({ timeZone: zone }, locale);
  const lists = new Intl.ListFormat(locale, { type: "unit", style: "short" });
  return {
    dayOfMonth,
    weekday,
    month,
    number: (value: number) => numberText(t, value),
    /** "87 %" for a share between 0 and 1, rounded as for the limits of attendance. */
    percent: (share: number) => percents.format(wholePercent(share) / 100),
    /** "1 late, 2 absent" */
    list: (parts: readonly string[]) => lists.format(parts),
  };
}

/** A time without a course or with an unknown zone: "Sat 21 Nov 2026, 14:05 UTC" in the reader's format. */
export function utcText(t: Pick<Translate, "locale">, at: number): string {
  return `${courseTimes({ timeZone: null }, t.locale).text(at)} UTC`;
}

/** "8 minutes ago", in whole units. @param at Milliseconds since the epoch; a moment after `now` counts as now. */
export function agoText({ locale }: Pick<Translate, "locale">, at: number, now: number): string {
  const make = () => new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  return agoIn(getOrMake(agoFormats, maxFormats, locale, make), Math.max(0, now - at));
}

const agoFormats = new Map<string, Intl.RelativeTimeFormat>();

/** "2 hours ago" or "yesterday" within the last week, otherwise "21 Nov". @param at Milliseconds, as `now`. */
export function relativeText(locale: string, times: Pick<CourseTimes, "day">, at: number, now: number) {
  const past = Math.max(0, now - at);
  if (past >= weekMs) return times.day(at);
  return agoIn(new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" }), past);
}

function agoIn(format: Intl.RelativeTimeFormat, past: number): string {
  if (past < minuteMs) return format.format(0, "second");
  if (past < hourMs) return format.format(-Math.floor(past / minuteMs), "minute");
  if (past < dayMs) return format.format(-Math.floor(past / hourMs), "hour");
  return format.format(-Math.floor(past / dayMs), "day");
}

/** Writes a date such as "2026-12-20" as people do. */
export function dayText(locale: string, day: string): string {
  return courseTimes({ timeZone: "UTC" }, locale).date(Date.parse(`${day}T12:00:00Z`));
}

/** The days from Monday: "Monday", or "M". */
export function weekdayNames({ locale }: Pick<Translate, "locale">, weekday: "long" | "narrow"): string[] {
  const names = formatIn(locale, { weekday }, "UTC");
  return Array.from({ length: 7 }, (_, at) => names.format(Date.UTC(2026, 0, 5 + at)));
}
