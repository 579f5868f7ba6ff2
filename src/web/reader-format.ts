import { courseTimes } from "./course-times.ts";
import { numberText } from "./number-text.ts";
import type { Translate } from "./translate.ts";

export type ReaderFormat = {
  number: (value: number) => string;
  /** "87 %" of a share between 0 and 1, rounded as a low attendance is judged. */
  percent: (share: number) => string;
  /** "14" in a zone. */
  dayOfMonth: (at: number) => string;
  /** "Mon" */
  weekday: (at: number) => string;
  /** "September 2026" */
  month: (at: number) => string;
  /** "1 late, 2 absent" */
  list: (parts: readonly string[]) => string;
};

/** Days are those of the course's zone. */
export function readerFormat(t: Translate, zone: string): ReaderFormat {
  const key = `${t.locale} ${zone}`;
  const format = known.get(key) ?? formatIn(t, zone);
  if (known.size < 300) known.set(key, format);
  return format;
}

const known = new Map<string, ReaderFormat>();

function formatIn(t: Translate, zone: string): ReaderFormat {
  const { locale } = t;
  const percents = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 });
  const { dayOfMonth, weekday, month } = courseTimes({ timeZone: zone }, locale);
  const lists = new Intl.ListFormat(locale, { type: "unit", style: "short" });
  return {
    number: (value) => numberText(t, value),
    percent: (share) => percents.format(Math.round(share * 100) / 100),
    dayOfMonth,
    weekday,
    month,
    list: (parts) => lists.format(parts),
  };
}
