import { courseTimes, weekdayNames } from "../../../web/course-times.ts";
import type { Translate } from "../../../web/translate.ts";
import { isDate } from "../../../kernel/text.ts";

/** What a day of a calendar is, the first of these that fits: to be scheduled, the same over another session, without class, has a session. */
export type DayKind = "new" | "clash" | "off" | "session";

export type MonthsShown = { t: Translate; months: ReturnType<typeof monthsView> };

const dayKinds: readonly DayKind[] = ["new", "session", "clash", "off"];

const dayMs = 24 * 3_600_000;
const maxMonths = 6;

/**
 * Months as weeks from Monday, from the first day on. A picture: what it says is in words beside it.
 * @param kinds By date, "2026-11-24". @param first A date whose month is shown, too.
 */
export function monthsView(t: Translate, kinds: ReadonlyMap<string, DayKind>, first: string | null = null) {
  const times = courseTimes({ timeZone: "UTC" }, t.locale);
  const dates = first !== null && isDate(first) ? [...kinds.keys(), first] : [...kinds.keys()];
  const shown = [...new Set(dates.map((date) => date.slice(0, 7)))].sort().slice(0, maxMonths);
  const months = shown.map((month) => {
    const begins = Date.parse(`${month}-01T00:00:00Z`);
    const days: ({ day: string; kind: DayKind | null } | null)[] = [];
    for (let empty = (new Date(begins).getUTCDay() + 6) % 7; empty > 0; empty -= 1) days.push(null);
    for (let at = begins; new Date(at).toISOString().startsWith(month); at += dayMs) {
      const date = new Date(at).toISOString().slice(0, 10);
      days.push({ day: times.dayOfMonth(at), kind: kinds.get(date) ?? null });
    }
    const weeks = Array.from({ length: Math.ceil(days.length / 7) }, (_, at) =>
      days.slice(at * 7, at * 7 + 7),
    );
    return { name: times.month(begins), weeks };
  });
  const used = new Set(kinds.values());
  return {
    months,
    weekdays: weekdayNames(t, "narrow"),
    legend: dayKinds.filter((kind) => used.has(kind)),
  };
}
