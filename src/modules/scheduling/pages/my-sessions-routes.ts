import type { PresenceApp } from "../../presence/presence-of-people.ts";
import {
  gradeWords,
  learnerStrip,
  mySessionRow,
  myWordView,
  sumView,
  wordProblemText,
} from "../../attendance/pages/my-attendance-view.ts";
import {
  maxReasonLength,
  myWords,
  sayWord,
  type WordProblem,
  type WordsApp,
} from "../../attendance/learner-words.ts";
import { oneLine } from "../../attendance/pages/register-form.ts";
import { type MySession, showMyAttendance } from "../../attendance/show-attendance.ts";
import { type MailKindsApp, myMailKinds } from "../../mail/mail-choices.ts";
import { policyWords } from "../../grading/pages/grading-words.ts";
import { evidenceText } from "../../attendance/pages/session-view.ts";
import { presenceWords } from "../../presence/pages/presence-view.ts";
import { Router } from "express";
import { z } from "zod";
import { listSessions, type SessionsApp } from "../list-sessions.ts";
import type { App } from "../../../app.ts";
import type { Course, Member } from "../../../domain/course.ts";
import type { Translate } from "../../../web/translate.ts";
import { limitLabelsOf } from "../../attendance/limits.ts";
import { tagOf } from "../../../kernel/ids.ts";
import { refusal } from "../../../kernel/refusal.ts";
import {
  type CalendarApp,
  type CalendarOwner,
  calendarToken,
  makeCalendarAddress,
  readCalendar,
  readMemberCalendar,
} from "../calendars.ts";
import { file } from "../../../web/answer.ts";
import { coursePages, type CoursePages, type CoursePagesDeps } from "../../../web/course-pages.ts";
import { courseNameOf, type PageOf } from "../../../web/course-words.ts";
import type { PageContext } from "../../../web/declared-page.ts";
import { defineView } from "../../../web/view.ts";
import type { MyVisit } from "../../../web/visits.ts";
import { calendarName, calendarText, subscribeLinks } from "./calendar-links.ts";

type MySessionsApp = WordsApp & PresenceApp & MailKindsApp & Pick<App, "attendanceSummaries"> & MyCalendarApp;

export type MySessionsPage = PageOf<typeof mySessionsModel>;

/** How many sessions each part shows. The page says how many are left out. */
const maxListed = 100;

/** The reader's sessions, attendance, grade and calendars. Always those of the browser session's person. */
export function mySessionsRoutes(app: CoursePagesDeps & MySessionsApp): Router {
  const pages = coursePages(app);
  pages
    .page("/course/my-sessions", {
      who: "member",
      fields: wordFields,
      address: () => ({}),
      news: z.literal("sent"),
      view: defineView<MySessionsPage>("course/my-sessions"),
      model: mySessionsModel,
    })
    .act("/course/my-sessions/say", {
      who: "member",
      run: async ({ visit: { course, member }, fields: { event, says, reason }, after, again }) => {
        if (says === null) throw refusal("bad-request", { status: 400 });
        const word = { eventId: event, says, reason: oneLine(reason) };
        const problem = await sayWord(app, course, member, word);
        return problem === null ? after("sent") : again({ problem }, 422);
      },
    });
  addCalendarPage(app, pages);
  return pages.router;
}

/** A learner's message about one session. If it's too long, the page says so. */
const wordFields = z.object({
  event: z.string().max(300).catch(""),
  says: z.enum(["absent", "here"]).nullable().catch(null),
  reason: z.string().catch(""),
});

async function mySessionsModel(
  app: MySessionsApp,
  { visit: { course, member }, fields: typed, words }: PageContext<"member", z.infer<typeof wordFields>>,
  message: "sent" | { problem: WordProblem } | null,
) {
  const { t, times } = words;
  const wordOn = await myWords(app, course, member);
  const problem = message === null || message === "sent" ? null : wordProblemText(t, message.problem);
  const my = await showMyAttendance(app, course, member);
  const begun = [...my.live, ...my.past]
    .slice(0, maxListed)
    .flatMap(({ eventId, startsAt, endsAt }) => (eventId === null ? [] : [{ eventId, startsAt, endsAt }]));
  const presence = await presenceWords(app, words, course, begun, [member.personId]);
  const rows = (part: "live" | "next" | "past") =>
    my[part]
      .slice(0, maxListed)
      .map((each) => ({
        ...mySessionRow(words, course.policy, each, part),
        presence: evidenceText(words, each.attended ?? {}, presence.of(each.eventId, member.personId)),
        word: myWordView(
          words,
          wordOn({ ...each, cancelled: isCancelled(each) }, each.attended?.status ?? null),
          each,
          { problem, typed },
        ),
      }));
  const more = (part: "next" | "past") => {
    const left = my[part].length - maxListed;
    return left <= 0 ? null : t("mine.sessions.more", { count: left });
  };
  return {
    title: t("mine.title", { course: courseNameOf(t, course) }),
    zoneName: times.zone,
    sent: message === "sent" ? t("words.sent") : null,
    problem,
    maxReasonLength,
    sum: sumView(t, my.counts, "self"),
    limits: await myLimits(app, t, course, member),
    ...learnerStrip(words, [...my.next.toReversed(), ...my.live, ...my.past].map(stripSession)),
    grade: gradeWords(words, my.attendance, my.notGraded, "self"),
    rule: course.policy.kind === "no-grades" || my.notGraded !== null ? [] : policyWords(t, course.policy),
    live: rows("live"),
    next: rows("next"),
    past: rows("past"),
    presenceRule: presence.ruleMine,
    /** Whether the course sends e-mails to learners. */
    mails: (await myMailKinds(app, course, member)).length > 0,
    more: { live: null, next: more("next"), past: more("past") },
  };
}

/** One sentence per limit that the institution watches and the reader has reached. */
async function myLimits(
  app: SessionsApp & Pick<App, "attendanceSummaries">,
  t: Translate,
  course: Course,
  { personId }: Member,
): Promise<string[]> {
  if (course.limits.list.length === 0) return [];
  const found = await limitLabelsOf(app, course, await listSessions(app, course), [personId]);
  return (found.get(personId) ?? []).map((label) => t("limits.mine", { label }));
}

function stripSession({ attended, state, ...session }: MySession) {
  const cancelled = isCancelled({ state });
  return { ...session, cancelled, status: attended?.status ?? null, opens: null };
}

function isCancelled({ state }: Pick<MySession, "state">): boolean {
  return state === "cancelled" || state === "to-cancel";
}

/** How long a calendar program may cache what it has read (seconds). */
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
      response.status(404).set({ "Cache-Control": "no-store", "X-Robots-Tag": "noindex" });
      response.type("text/plain").send("Not found.\n");
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
    // Express answers 304 if the tag is the same, and leaves the text out for HEAD.
    response.send(text);
  });
  return router;
}

type MyCalendarApp = SessionsApp & Pick<App, "calendars" | "clock" | "ids" | "publicUrl" | "sealer">;

export type CalendarPage = PageOf<typeof calendarModel>;

const asked = z.object({
  act: z.enum(["show", "make", "revoke"]).catch("show"),
  scope: z.enum(["course", "person"]).catch("person"),
});

const oneSession = z.object({ event: z.string().max(300).catch("") });

const calendarNews = z.object({ act: z.enum(["make", "revoke"]), scope: z.string() });

/** Secret addresses of calendars. Only instructors get the whole course's. */
function addCalendarPage<PagesApp extends MyCalendarApp & CoursePagesDeps>(
  app: PagesApp,
  pages: CoursePages<PagesApp>,
): void {
  const path = "/course/calendar";
  pages.change(
    path,
    { who: "member", fields: asked, takes: ({ act }) => act !== "show" },
    async ({ visit, fields: { act, scope } }) => {
      const owner = ownerOf(visit, scope);
      if (act === "show") return page.after({ scope }, null);
      if (act === "revoke") await app.calendars.revoke(owner);
      else await makeCalendarAddress(app, owner, visit.session.locale);
      return page.after({ scope }, { act, scope });
    },
  );
  const page = pages.page(path, {
    who: "member",
    fields: asked,
    address: ({ scope }) => ({ scope }),
    news: calendarNews,
    view: defineView<CalendarPage>("course/calendar"),
    model: calendarModel,
  });
  pages.read(
    "/course/calendar-file",
    { who: "member", fields: oneSession },
    async ({ visit, t, fields: { event } }) => {
      const calendar = await readMemberCalendar(app, visit.course, visit.member, event === "" ? null : event);
      return file("sessions.ics", "text/calendar", calendarText(t, calendar, new URL(app.publicUrl).host));
    },
  );
}

/** @throws NamedError "instructors-only" for a calendar that isn't the reader's */
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

/** Links that open a new address in a calendar program, if there is one, and in web calendars. */
function subscribing(address: string | null, name: string) {
  if (address === null) return { opens: null, google: null, outlook: null };
  return { opens: address.replace(/^https?:/, "webcal:"), ...subscribeLinks(address, name) };
}

async function calendarModel(
  app: MyCalendarApp,
  { visit, fields, words: { t, times } }: PageContext<"member", z.infer<typeof asked>>,
  done: z.infer<typeof calendarNews> | null,
) {
  ownerOf(visit, fields.scope);
  const courseName = courseNameOf(t, visit.course);
  const calendarOf = async (owner: CalendarOwner) => {
    const { scope } = owner;
    const known = await app.calendars.find(owner);
    const token = known === null ? null : calendarToken(app, known);
    const address = token === null ? null : `${app.publicUrl}/calendar/${token}.ics`;
    return {
      scope,
      /** Null if there is no address. */
      since: known === null ? null : t("sessions.calendar.since", { when: times.text(known.createdAt) }),
      /** Null if there is no address, or it can't be shown. */
      address,
      ...subscribing(address, calendarName(t, scope === "course" ? courseName : null)),
      done: done?.scope === scope ? done.act : null,
    };
  };
  return {
    title: t("sessions.calendar.title", { course: courseName }),
    calendars: await Promise.all(ownersOf(visit).map(calendarOf)),
  };
}
