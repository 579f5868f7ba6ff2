import type { Translate } from "./translate.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** "8 minutes ago", in the page's language, whole units. @param at Milliseconds since the epoch; a later one counts as now. */
export function agoText({ locale }: Pick<Translate, "locale">, at: number, now: number): string {
  const format = formats.get(locale) ?? new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  if (formats.size < 100) formats.set(locale, format);
  const ms = Math.max(0, now - at);
  if (ms < minute) return format.format(0, "second");
  if (ms < hour) return format.format(-Math.floor(ms / minute), "minute");
  if (ms < day) return format.format(-Math.floor(ms / hour), "hour");
  return format.format(-Math.floor(ms / day), "day");
}

const formats = new Map<string, Intl.RelativeTimeFormat>();
