import { plainDigits } from "../../../kernel/text.ts";
import type { WallTime } from "../../scheduling/rules/time-zone.ts";

/** Names of months (1 to 12), short and long, and words that stand beside a date, such as days of the week. */
export type CalendarWords = { months: ReadonlyMap<string, number>; beside: ReadonlySet<string> };

/** How texts of a table are compared: by what is seen, whatever the keyboard, the dash and the quotation mark. */
export function plain(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}+/gu, "")
    .replace(/[\p{Pd}\u2212]/gu, "-")
    .replace(/[\u2018\u2019\u02BC`´]/gu, "'")
    .toLowerCase()
    .replace(/\s+/gu, " ")
    .trim();
}

type Reading = { year: number | null; month: number; day: number };

/**
 * Whether a session's start may be what a heading says: a date as spreadsheets show it ("13.09.2026", "9/13/26", "13-Sep",
 * "Sun 13 September 2026 10:00"), in every order that its numbers allow.
 */
export function dateReader(head: string, words: CalendarWords): (start: WallTime) => boolean {
  const text = plain(plainDigits(head));
  const atEnd = /(?:[ ,]|(?<=\d)t)(\d{1,2}:\d\d)(?::\d\d)?$/u.exec(text);
  const clock = atEnd?.[1] ?? null;
  const readings = readingsOf(text.slice(0, atEnd?.index), words);
  return ({ date, time }) => {
    const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
    const isOn = readings.some(
      (one) => one.month === month && one.day === day && (one.year ?? year) === year,
    );
    return isOn && (clock === null || clock.padStart(5, "0") === time);
  };
}

function readingsOf(text: string, { months, beside }: CalendarWords): Reading[] {
  const tokens = text
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((token) => token !== "" && (months.has(token) || !beside.has(token)));
  const numbers = tokens.filter((token) => /^\d{1,4}$/.test(token));
  const named = new Set(tokens.filter((token) => !numbers.includes(token)).map((token) => months.get(token)));
  if (named.has(undefined) || named.size > 1) return [];
  const [month] = named;
  return (month === undefined ? ordersOf(numbers) : ordersWithMonth(month, numbers)).filter(isOnCalendar);
}

/** Of two or three numbers: day first, month first, year first. */
function ordersOf([a = "", b = "", c = "", ...more]: readonly string[]): Reading[] {
  if (b === "" || more.length > 0) return [];
  const read = (year: string, month: string, day: string) => ({
    year: year === "" ? null : fullYear(year),
    month: Number(month),
    day: Number(day),
  });
  if (a.length > 2) return [read(a, b, c)];
  const short = [read(c, b, a), read(c, a, b)];
  return c.length === 2 ? [...short, read(a, b, c)] : short;
}

function ordersWithMonth(month: number, [a = "", b = "", ...more]: readonly string[]): Reading[] {
  if (a === "" || more.length > 0) return [];
  const read = (year: string, day: string) => ({
    year: year === "" ? null : fullYear(year),
    month,
    day: Number(day),
  });
  return a.length > 2 ? [read(a, b)] : [read(b, a)];
}

function fullYear(typed: string): number {
  return typed.length === 2 ? 2_000 + Number(typed) : Number(typed);
}

function isOnCalendar({ month, day }: Reading): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}
