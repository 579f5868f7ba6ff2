import { wallTimeOf } from "../../scheduling/rules/time-zone.ts";

/** Moodle's reply is empty for longer ones. */
const maxLabelLength = 255;

/** Title and time in the course's zone: "Cells, 2027-03-28 10:00". Long titles are cut, dates are not. */
export function sessionColumnLabel(
  session: { title: string | null; startsAt: number | null },
  timeZone: string | null,
): string {
  const title = (session.title ?? "").trim() || "Session";
  if (session.startsAt === null) return cut(title, maxLabelLength);
  const { date, time } = wallTimeOf(session.startsAt, timeZone ?? "UTC");
  const when = title.includes(date) ? ` ${time}` : `, ${date} ${time}`;
  return `${cut(title, maxLabelLength - when.length)}${when}`;
}

/** In UTF-16 units, as LMSs count, without splitting a character. */
function cut(text: string, length: number): string {
  return text.length <= length
    ? text
    : text
        .slice(0, length)
        .replace(/[\ud800-\udbff]$/, "")
        .trimEnd();
}
