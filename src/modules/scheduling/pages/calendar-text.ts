import { createHash } from "node:crypto";
import ical, { ICalCalendarMethod, ICalEventStatus } from "ical-generator";
import type { Calendar, CalendarEntry } from "../read-calendar.ts";
import type { Translate } from "../../../web/translate.ts";

/** How often calendar programs should come (seconds); many come less often whatever is said. */
const refreshAfter = 3_600;

/**
 * A calendar as RFC 5545 text. Times are written in UTC, each instance as an event of its own: that needs no time zone
 * definitions, of which Outlook, Google and Apple each understand another part, and no rule that somebody expands in
 * another way. The programs show it on their own clocks; the zone of the course is named for those that ask.
 * @param host Makes identifiers the tool's own.
 */
export function calendarText(t: Translate, calendar: Calendar, host: string): string {
  const { courseName, timeZone, entries } = calendar;
  const name =
    courseName === null
      ? t("sessions.calendar.nameOfPerson")
      : t("sessions.calendar.name", { course: courseName });
  const text = ical({
    name,
    prodId: { company: "spaces-lti", product: "sessions", language: t("language.code").toUpperCase() },
    method: ICalCalendarMethod.PUBLISH,
    ttl: refreshAfter,
  });
  if (timeZone !== null) text.x("X-WR-TIMEZONE", timeZone);
  for (const entry of entries) text.createEvent(eventOf(t, entry, host));
  return text.toString();
}

function eventOf(t: Translate, entry: CalendarEntry, host: string) {
  const { title, courseName, courseUrl, startsAt, endsAt, cancelled, sequence, changedAt } = entry;
  return {
    id: `${entry.uid}@${host}`,
    start: new Date(startsAt),
    end: new Date(endsAt),
    // From the records, so that a calendar that has not changed is the same text.
    stamp: new Date(changedAt),
    lastModified: new Date(changedAt),
    sequence,
    status: cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    summary: t("sessions.calendar.entry", { title: title ?? t("sessions.untitled"), course: courseName }),
    description:
      courseUrl === null
        ? t("sessions.calendar.enterAnyhow")
        : t("sessions.calendar.enter", { url: courseUrl }),
    ...(courseUrl === null ? {} : { url: courseUrl }),
  };
}

/** The ETag of a text. */
export function tagOf(text: string): string {
  return `"${createHash("sha256").update(text).digest("base64url")}"`;
}
