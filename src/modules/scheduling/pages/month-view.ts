import { courseTimes } from "../../../web/course-times.ts";
import type { Translate } from "../../../web/translate.ts";

/** What a day of a calendar is, the first of these that fits: to be scheduled, the same over another session, without class, has a session. */
export type DayKind = "new" | "clash" | "off" | "session";

export type MonthsShown = { t: Translate; months: ReturnType<typeof monthsView> };

const dayMs = 24 * 3_600_000;
const maxMonths = 6;

/** Months as weeks from Monday, from the first marked day on. A picture: what it says is in words beside it. @param kinds By date, "2026-11-24". */
export function monthsView({ locale }: Translate, kinds: ReadonlyMap<string, DayKind>) {
  const times = courseTimes({ timeZone: "UTC" }, locale);
  const months = [...new Set([...kinds.keys()].map((date) => date.slice(0, 7)))].sort().slice(0, maxMonths);
  return months.map((month) => {
    const first = Date.parse(`${month}-01T00:00:00Z`);
    const days: ({ day: string; kind: DayKind | null } | null)[] = [];
    for (let empty = (new Date(first).getUTCDay() + 6) % 7; empty > 0; empty -= 1) days.push(null);
    for (let at = first; new Date(at).toISOString().startsWith(month); at += dayMs) {
      const date = new Date(at).toISOString().slice(0, 10);
      days.push({ day: times.dayOfMonth(at), kind: kinds.get(date) ?? null });
    }
    const weeks = Array.from({ length: Math.ceil(days.length / 7) }, (_, at) =>
      days.slice(at * 7, at * 7 + 7),
    );
    return { name: times.month(first), weeks };
  });
}
