import type { CourseTimes } from "./course-times.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Such as "2 hours ago" or "yesterday" in the last week, else "21 Nov". @param at Milliseconds, as `now`. */
export function relativeText(
  locale: string,
  times: Pick<CourseTimes, "day">,
  at: number,
  now: number,
): string {
  const past = Math.max(0, now - at);
  if (past >= 7 * dayMs) return times.day(at);
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" });
  if (past < minuteMs) return format.format(0, "second");
  if (past < hourMs) return format.format(-Math.floor(past / minuteMs), "minute");
  if (past < dayMs) return format.format(-Math.floor(past / hourMs), "hour");
  return format.format(-Math.floor(past / dayMs), "day");
}
