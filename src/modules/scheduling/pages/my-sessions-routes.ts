import type { PresenceApp } from "../../presence/presence-of-people.ts";
import type { Router } from "express";
import { coursePages, type CoursePagesDeps, noFields } from "../../../web/course-pages.ts";
import { courseNameOf, type PageOf } from "../../../web/course-words.ts";
import type { PageAsked } from "../../../web/declared-page.ts";
import { defineView } from "../../../web/view.ts";
import { gradeWords, mySessionRow, sumView } from "../../attendance/pages/my-attendance-view.ts";
import { type MyAttendanceApp, showMyAttendance } from "../../attendance/show-attendance.ts";
import { myMailKinds, type MyMailsApp } from "../../mail/mail-choices.ts";
import { policyWords } from "../../grading/pages/grading-words.ts";
import { evidenceText } from "../../attendance/pages/session-view.ts";
import { presenceWords } from "../../presence/pages/presence-view.ts";
import { addCalendarPage, type MyCalendarApp } from "./calendar-routes.ts";

type MySessionsApp = MyAttendanceApp &
  PresenceApp &
  Pick<MyMailsApp, "config" | "registrations"> &
  MyCalendarApp;

export type MySessionsPage = PageOf<typeof mySessionsModel>;

/** Sessions in each part; the page says what is left out. */
const maxShown = 100;

/** The reader's sessions, attendance, grade and calendars; always of the browser session's person. */
export function mySessionsRoutes(app: CoursePagesDeps & MySessionsApp): Router {
  const pages = coursePages(app);
  pages.page("/course/my-sessions", {
    who: "member",
    fields: noFields,
    view: defineView<MySessionsPage>("course/my-sessions"),
    model: mySessionsModel,
  });
  addCalendarPage(app, pages);
  return pages.router;
}

async function mySessionsModel(
  app: MySessionsApp,
  { visit: { course, member }, words }: PageAsked<"member">,
) {
  const { t, times } = words;
  const my = await showMyAttendance(app, course, member);
  const begun = [...my.live, ...my.past]
    .slice(0, maxShown)
    .flatMap(({ eventId, startsAt, endsAt }) => (eventId === null ? [] : [{ eventId, startsAt, endsAt }]));
  const presence = await presenceWords(app, words, course, begun, [member.personId]);
  const rows = (part: "live" | "next" | "past") =>
    my[part].slice(0, maxShown).map((each) => ({
      ...mySessionRow(words, course.policy, each, part),
      presence: evidenceText(words, each.attended ?? {}, presence.of(each.eventId, member.personId)),
    }));
  const left = Math.max(0, my.past.length - maxShown);
  return {
    title: t("mine.title", { course: courseNameOf(t, course) }),
    zoneName: times.zone,
    sum: sumView(t, my.counts, "self"),
    grade: gradeWords(words, my.attendance, my.notGraded, "self"),
    rule: course.policy.kind === "no-grades" || my.notGraded !== null ? [] : policyWords(t, course.policy),
    live: rows("live"),
    next: rows("next"),
    past: rows("past"),
    presenceRule: presence.ruleMine,
    /** Whether the course sends them e-mails. */
    mails: (await myMailKinds(app, course, member)).length > 0,
    more: left === 0 ? null : t("mine.sessions.more", { count: left }),
  };
}
