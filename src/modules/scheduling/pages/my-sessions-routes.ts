import type { PresenceApp } from "../../presence/presence-of-people.ts";
import type { Router } from "express";
import { page, type PageAnswer } from "../../../web/answer.ts";
import { coursePages, type CoursePagesDeps, noFields } from "../../../web/course-pages.ts";
import { courseNameOf, courseWords, type CourseWordsDeps } from "../../../web/course-words.ts";
import type { MyVisit } from "../../../web/visits.ts";
import type { CourseFrame, MyGrade, MySum } from "../../../web/partials.ts";
import { defineView } from "../../../web/view.ts";
import {
  gradeWords,
  type MySessionRow,
  mySessionRow,
  sumView,
} from "../../attendance/pages/my-attendance-view.ts";
import { type MyAttendanceApp, showMyAttendance } from "../../attendance/show-attendance.ts";
import { myMailKinds, type MyMailsApp } from "../../mail/mail-choices.ts";
import { policyWords } from "../../grading/pages/grading-words.ts";
import { evidenceText } from "../../attendance/pages/session-view.ts";
import { presenceWords } from "../../presence/pages/presence-view.ts";
import { addCalendarPage, type MyCalendarApp } from "./calendar-routes.ts";

type MySessionsApp = CourseWordsDeps &
  MyAttendanceApp &
  PresenceApp &
  Pick<MyMailsApp, "config" | "registrations"> &
  MyCalendarApp;

export type MySessionsPage = CourseFrame &
  Omit<MyGrade, "heading"> &
  MySum & {
    teaches: boolean;
    zone: string;
    zoneName: string;
    live: MySessionRow[];
    next: MySessionRow[];
    past: MySessionRow[];
    presenceRule: string | null;
    more: string | null;
    /** Whether the course sends them e-mails. */
    mails: boolean;
  };

const mySessionsView = defineView<MySessionsPage>("course/my-sessions");

/** Sessions in each part; the page says what is left out. */
const maxShown = 100;

/** The reader's sessions, attendance, grade and calendars; always of the browser session's person. */
export function mySessionsRoutes(app: CoursePagesDeps & MySessionsApp): Router {
  const pages = coursePages(app);
  pages.read("/course/my-sessions", { who: "member", fields: noFields }, ({ visit }) =>
    mySessionsPage(app, visit),
  );
  addCalendarPage(app, pages);
  return pages.router;
}

async function mySessionsPage(app: MySessionsApp, visit: MyVisit): Promise<PageAnswer> {
  const { course, member } = visit;
  const words = await courseWords(app, visit);
  const { t } = words;
  const my = await showMyAttendance(app, course, member);
  const held = [...my.live, ...my.past]
    .slice(0, maxShown)
    .flatMap(({ eventId, startsAt, endsAt }) => (eventId === null ? [] : [{ eventId, startsAt, endsAt }]));
  const presence = await presenceWords(app, words, course, held, [member.personId]);
  const rows = (part: "live" | "next" | "past") =>
    my[part].slice(0, maxShown).map((each) => ({
      ...mySessionRow(words, course.policy, each, part),
      presence: evidenceText(words, each.attended ?? {}, presence.of(each.eventId, member.personId)),
    }));
  const left = Math.max(0, my.past.length - maxShown);
  return page(mySessionsView, {
    title: t("mine.title", { course: courseNameOf(t, course) }),
    teaches: member.role === "instructor",
    zone: t("sessions.zone.shown", { zone: words.times.place(app.clock.now()) }),
    zoneName: words.times.zone,
    sum: sumView(t, my.counts, "self"),
    grade: gradeWords(words, my.attendance, my.notGraded, "self"),
    rule: course.policy.kind === "no-grades" || my.notGraded !== null ? [] : policyWords(t, course.policy),
    live: rows("live"),
    next: rows("next"),
    past: rows("past"),
    presenceRule: presence.ruleMine,
    mails: (await myMailKinds(app, course, member)).length > 0,
    more: left === 0 ? null : t("mine.sessions.more", { count: left }),
  });
}
