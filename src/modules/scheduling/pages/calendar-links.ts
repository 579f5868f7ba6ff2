import type { ShownSession } from "../show-sessions.ts";
import type { Translate } from "../../../web/translate.ts";
import { entryName } from "./calendar-text.ts";

/** What takes one session into a calendar: two sites' forms, filled in, and the session whose file can be downloaded. */
export type CalendarLinks = { google: string; outlook: string; event: string };

type Of = { courseName: string; courseUrl: string | null };

/** Of a session without an end (ms). */
const usualLengthMs = 60 * 60_000;

/** Null for a session without a time, and for one that the classroom does not have yet. */
export function calendarLinks(
  t: Translate,
  { eventId, title, startsAt, endsAt, state }: ShownSession,
  { courseName, courseUrl }: Of,
): CalendarLinks | null {
  if (eventId === null || startsAt === null || state === "cancelled") return null;
  const [begins, ends] = [startsAt, endsAt ?? startsAt + usualLengthMs].map((at) =>
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

/** Calendars on the web that read a whole calendar again and again. @param calendar Its address, a secret. */
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
