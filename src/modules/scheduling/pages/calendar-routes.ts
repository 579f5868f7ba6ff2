import { type Response, Router } from "express";
import { z } from "zod";
import type { SessionsApp } from "../list-sessions.ts";
import type { App } from "../../../app.ts";
import { refusal } from "../../../kernel/refusal.ts";
import {
  type CalendarApp,
  type CalendarOwner,
  calendarToken,
  makeCalendarAddress,
  readCalendar,
  readMemberCalendar,
} from "../calendars.ts";
import { file, page, type PageAnswer } from "../../../web/answer.ts";
import type { CoursePages } from "../../../web/course-pages.ts";
import { courseNameOf, courseWords, type CourseWordsDeps } from "../../../web/course-words.ts";
import { readNews } from "../../../web/page-news.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import { defineView } from "../../../web/view.ts";
import type { MyVisit } from "../../../web/visits.ts";
import { calendarName, calendarText, subscribeLinks, tagOf } from "./calendar-links.ts";

/** How long a calendar program may keep what it has read (seconds). */
const maxAgeSeconds = 900;

/** GET and HEAD /calendar/<token>.ics. Every wrong address gets the same 404, which reveals nothing. */
export function calendarRoutes(app: CalendarApp & Pick<App, "publicUrl" | "translatorOf">): Router {
  const router = Router();
  const { host } = new URL(app.publicUrl);
  router.get("/calendar/:name", async (request, response) => {
    const { name } = request.params;
    const token = /^([\w-]{32})\.ics$/.exec(name)?.[1] ?? null;
    const calendar = token === null ? null : await readCalendar(app, token);
    if (calendar === null) {
      notFound(response);
      return;
    }
    const text = calendarText(app.translatorOf(calendar.locale), calendar, host);
    response.set({
      "Content-Type": "text/calendar; charset=utf-8",
      "Cache-Control": `private, max-age=${maxAgeSeconds}`,
      "Content-Disposition": 'inline; filename="sessions.ics"',
      "X-Robots-Tag": "noindex",
      ETag: tagOf(text),
    });
    // Express answers 304 for the same tag, and HEAD without the text.
    response.send(text);
  });
  return router;
}

function notFound(response: Response): void {
  response.status(404).set({ "Cache-Control": "no-store", "X-Robots-Tag": "noindex" });
  response.type("text/plain").send("Not found.\n");
}

export type MyCalendarApp = CourseWordsDeps &
  SessionsApp &
  Pick<App, "calendars" | "clock" | "ids" | "publicUrl" | "sealer">;

export type CalendarPage = CourseFrame & {
  calendars: {
    scope: CalendarOwner["scope"];
    /** Null: there is no address. */
    since: string | null;
    /** Null: there is none, or it can't be shown. */
    address: string | null;
    opens: string | null;
    /** Calendars on the web that take the address. */
    google: string | null;
    outlook: string | null;
    done: "make" | "revoke" | null;
  }[];
  teaches: boolean;
};

const calendarView = defineView<CalendarPage>("course/calendar");

const asked = z.object({
  act: z.enum(["show", "make", "revoke"]).catch("show"),
  scope: z.enum(["course", "person"]).catch("person"),
});

const oneSession = z.object({ event: z.string().max(300).catch("") });

/** What has just been done. */
const calendarNews = z.object({ act: z.enum(["make", "revoke"]), scope: z.string() });
type Done = z.infer<typeof calendarNews> | null;

/** Secret addresses of calendars; that of the whole course is for its instructors. */
export function addCalendarPage(app: MyCalendarApp, pages: CoursePages): void {
  const path = "/course/calendar";
  const member = { who: "member", fields: (posted: unknown) => asked.parse(posted) } as const;
  pages.change(
    path,
    { ...member, takes: ({ act }) => act !== "show" },
    async ({ visit, fields: { act, scope } }) => {
      const owner = ownerOf(visit, scope);
      if (act === "show") return shown.after({ scope }, null);
      if (act === "revoke") await app.calendars.revoke(owner);
      else await makeCalendarAddress(app, owner, visit.session.locale);
      return shown.after({ scope }, { act, scope });
    },
  );
  const shown = pages.read(
    path,
    { ...member, news: readNews(calendarNews) },
    async ({ visit, fields }, done) => {
      ownerOf(visit, fields.scope);
      return calendarPage(app, visit, done);
    },
  );
  pages.read(
    "/course/calendar-file",
    { who: "member", fields: (posted) => oneSession.parse(posted) },
    async ({ visit, t, fields: { event } }) => {
      const calendar = await readMemberCalendar(app, visit.course, visit.member, event === "" ? null : event);
      return file("sessions.ics", "text/calendar", calendarText(t, calendar, new URL(app.publicUrl).host));
    },
  );
}

/** @throws NamedError "instructors-only" for a calendar that is not the reader's */
function ownerOf(visit: MyVisit, scope: CalendarOwner["scope"]): CalendarOwner {
  const owner = ownersOf(visit).find((each) => each.scope === scope);
  if (owner === undefined) throw refusal("instructors-only", { status: 403 });
  return owner;
}

function ownersOf({ session, course, member }: MyVisit): CalendarOwner[] {
  const { registrationId } = course;
  const own: CalendarOwner = { registrationId, scope: "person", ownerId: session.personId };
  return member.role === "instructor"
    ? [{ registrationId, scope: "course", ownerId: course.id }, own]
    : [own];
}

/** What opens a new address in a calendar program, where there is one, and in calendars on the web. */
function subscribing(address: string | null, name: string) {
  if (address === null) return { opens: null, google: null, outlook: null };
  return { opens: address.replace(/^https?:/, "webcal:"), ...subscribeLinks(address, name) };
}

async function calendarPage(app: MyCalendarApp, visit: MyVisit, done: Done): Promise<PageAnswer> {
  const { t, times } = await courseWords(app, visit);
  const calendars = await Promise.all(
    ownersOf(visit).map(async (owner) => {
      const { scope } = owner;
      const known = await app.calendars.find(owner);
      const token = known === null ? null : calendarToken(app, known);
      const address = token === null ? null : `${app.publicUrl}/calendar/${token}.ics`;
      return {
        scope,
        since: known === null ? null : t("sessions.calendar.since", { when: times.text(known.createdAt) }),
        address,
        ...subscribing(address, calendarName(t, scope === "course" ? courseNameOf(t, visit.course) : null)),
        done: done?.scope === scope ? done.act : null,
      };
    }),
  );
  return page(calendarView, {
    title: t("sessions.calendar.title", { course: courseNameOf(t, visit.course) }),
    calendars,
    teaches: visit.member.role === "instructor",
  });
}
