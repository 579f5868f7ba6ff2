import ical, { ICalCalendarMethod, ICalEventStatus } from "ical-generator";
import type { Calendar, CalendarEntry } from "../calendars.ts";
import type { TimetableSession } from "../show-sessions.ts";
import { isolated } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import { assumedLengthMs } from "../../../domain/classroom-event.ts";

/** Ways to put one session into a calendar: the filled-in forms of two sites, and the session whose file can be downloaded. */
export type CalendarLinks = { google: string; outlook: string; event: string };

/** Null for a session without a time, or one that the classroom doesn't have yet. */
export function calendarLinks(
  t: Translate,
  { eventId, title, startsAt, endsAt, state }: TimetableSession,
  { courseName, courseUrl }: { courseName: string; courseUrl: string | null },
): CalendarLinks | null {
  if (eventId === null || startsAt === null || state === "cancelled") return null;
  const [begins, ends] = [startsAt, endsAt ?? startsAt + assumedLengthMs].map((at) =>
    new Date(at).toISOString(),
  );
  if (begins === undefined || ends === undefined) return null;
  const name = entryName(t, title, courseName);
  const about =
    courseUrl === null
      ? t("sessions.calendar.enterAnyhow")
      : t("sessions.calendar.enter", { url: courseUrl });
  const short = (iso: string) => iso.replaceAll(/[-:]|\.\d+/g, "");
  return {
    google: address("https://calendar.google.com/calendar/render", {
      action: "TEMPLATE",
      text: name,
      dates: `${short(begins)}/${short(ends)}`,
      details: about,
    }),
    outlook: address("https://outlook.office.com/calendar/0/deeplink/compose", {
      path: "/calendar/action/compose",
      rru: "addevent",
      subject: name,
      startdt: begins,
      enddt: ends,
      body: about,
    }),
    event: eventId,
  };
}

/** Links to web calendars that read a whole calendar again and again. @param calendar Its address, which is secret. */
export function subscribeLinks(calendar: string, name: string) {
  return {
    google: address("https://calendar.google.com/calendar/render", {
      cid: calendar.replace(/^https?:/, "webcal:"),
    }),
    outlook: address("https://outlook.office.com/calendar/0/addfromweb", { url: calendar, name }),
  };
}

function address(site: string, fields: Readonly<Record<string, string>>): string {
  return `${site}?${new URLSearchParams(fields).toString()}`;
}

/** How often calendar programs should come (seconds). Many come less often. */
const refreshSeconds = 3_600;

/**
 * Writes a calendar as RFC 5545. Times are in UTC and each instance is its own event, because Outlook, Google and Apple read time zone
 * definitions and recurrence rules differently. `X-WR-TIMEZONE` names the course's zone.
 * @param host Makes identifiers unique to this tool.
 */
export function calendarText(t: Translate, calendar: Calendar, host: string): string {
  const { courseName, timeZone, entries } = calendar;
  const text = ical({
    name: calendarName(t, courseName),
    prodId: { company: "spaces-lti", product: "sessions", language: t("language.code").toUpperCase() },
    method: ICalCalendarMethod.PUBLISH,
    ttl: refreshSeconds,
  });
  if (timeZone !== null) text.x("X-WR-TIMEZONE", timeZone);
  for (const entry of entries) text.createEvent(eventOf(t, entry, host));
  return `${text.toString()}\r\n`; // RFC 5545, 3.1: every line ends with this, including the last
}

/** @param courseName Null: one person's sessions in all courses. */
export function calendarName(t: Translate, courseName: string | null): string {
  return courseName === null
    ? t("product.name")
    : t("sessions.calendar.name", { course: isolated(t, courseName) });
}

/** A title such as "Genes (Biology)". */
function entryName(t: Translate, title: string | null, courseName: string): string {
  return t("sessions.calendar.entry", {
    title: isolated(t, title ?? t("sessions.untitled")),
    course: isolated(t, courseName),
  });
}

function eventOf(t: Translate, entry: CalendarEntry, host: string) {
  const { courseUrl, startsAt, endsAt, cancelled, sequence, changedAt } = entry;
  const name = entryName(t, entry.title, entry.courseName);
  return {
    id: `${entry.uid}@${host}`,
    start: new Date(startsAt),
    end: new Date(endsAt),
    // Taken from the records, so an unchanged calendar gives the same text.
    stamp: new Date(changedAt),
    lastModified: new Date(changedAt),
    sequence,
    status: cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    // Some programs ignore the status.
    summary: cancelled ? t("sessions.calendar.cancelled", { name }) : name,
    description:
      courseUrl === null
        ? t("sessions.calendar.enterAnyhow")
        : t("sessions.calendar.enter", { url: courseUrl }),
    ...(courseUrl === null ? {} : { url: courseUrl }),
  };
}
