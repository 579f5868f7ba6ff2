import { wallTimeOf } from "../../scheduling/rules/time-zone.ts";
import { cutTo } from "../../../kernel/text.ts";

/** Moodle's reply is empty for longer ones. */
const maxLabelLength = 255;

/** Title and time in the course's zone: "Cells, 2027-03-28 10:00". Long titles are cut, dates are not. */
export function sessionColumnLabel(
  session: { title: string | null; startsAt: number | null },
  timeZone: string | null,
): string {
  const title = (session.title ?? "").trim() || "Session";
  if (session.startsAt === null) return cutTo(title, maxLabelLength);
  const { date, time } = wallTimeOf(session.startsAt, timeZone ?? "UTC");
  const when = title.includes(date) ? ` ${time}` : `, ${date} ${time}`;
  return `${cutTo(title, maxLabelLength - when.length).trimEnd()}${when}`;
}
