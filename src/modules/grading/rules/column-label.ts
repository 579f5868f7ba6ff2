import { wallTimeOf } from "../../scheduling/rules/time-zone.ts";

/** More than this and Moodle's reply is none. */
const longestLabel = 255;

/**
 * The name of a session's column: its title and when it is on the course's clocks, such as "Cells, 2027-03-28 10:00". A
 * long title is cut, the date is not.
 */
export function sessionColumnLabel(
  session: { title: string | null; startsAt: number | null },
  timeZone: string | null,
): string {
  const title = (session.title ?? "").trim() || "Session";
  if (session.startsAt === null) return cut(title, longestLabel);
  const { date, time } = wallTimeOf(session.startsAt, timeZone ?? "UTC");
  const when = title.includes(date) ? ` ${time}` : `, ${date} ${time}`;
  return `${cut(title, longestLabel - when.length)}${when}`;
}

/** Cuts in UTF-16 units, as LMSs count, but never a character in two. */
function cut(text: string, length: number): string {
  return text.length <= length
    ? text
    : text
        .slice(0, length)
        .replace(/[\ud800-\udbff]$/, "")
        .trimEnd();
}
