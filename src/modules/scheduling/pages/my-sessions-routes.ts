import express, { Router } from "express";
import { showMyAttendance, type ShowMyAttendanceDeps } from "../../attendance/show-my-attendance.ts";
import { myCalendarRoutes, type MyCalendarRoutesDeps } from "./my-calendar-routes.ts";
import { gradeWords, mySessionRow, sumView } from "../../attendance/pages/my-attendance-view.ts";
import { myVisit, type MyVisitDeps } from "../../../web/my-visit.ts";
import type { PresenceOfPeopleDeps } from "../../presence/presence-of-people.ts";
import { presenceWords } from "../../presence/pages/presence-view.ts";
import { policyWords } from "../../grading/pages/policy-words.ts";
import { pageFrame, type SessionPageDeps } from "./session-page.ts";
import { courseNameOf, courseWords } from "../../../web/course-words.ts";

export type MySessionsRoutesDeps = MyVisitDeps &
  SessionPageDeps &
  ShowMyAttendanceDeps &
  PresenceOfPeopleDeps &
  MyCalendarRoutesDeps;

/** Sessions of a part that are shown at most; what is left out is said. */
const shownAtMost = 100;

/**
 * POST /course/my-sessions: the sessions of a course that are for the reader, how they attended them, and how their grade
 * came about; to be read only. It is always about whom the session belongs to.
 */
export function mySessionsRoutes(deps: MySessionsRoutesDeps): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "16kb" });
  router.post("/course/my-sessions", form, async (request, response) => {
    const visit = await myVisit(deps, request);
    const { course, member } = visit;
    const words = await courseWords(deps, visit);
    const { t } = words;
    const my = await showMyAttendance(deps, course, member);
    const held = [...my.live, ...my.past]
      .slice(0, shownAtMost)
      .flatMap(({ eventId, startsAt, endsAt }) => (eventId === null ? [] : [{ eventId, startsAt, endsAt }]));
    const presence = await presenceWords(deps, words, course, held, [member.personId]);
    const rows = (part: "live" | "next" | "past") =>
      my[part].slice(0, shownAtMost).map((each) => ({
        ...mySessionRow(words, course.policy, each, part),
        presence: presence.of(each.eventId, member.personId),
      }));
    const left = Math.max(0, my.past.length - shownAtMost);
    response.render("course/my-sessions", {
      ...(await pageFrame(deps, visit, t)),
      title: t("mine.title", { course: courseNameOf(t, course) }),
      teaches: member.role === "instructor",
      zone: t(course.timeZone === null ? "sessions.zone.shownUtc" : "sessions.zone.shown", {
        zone: words.times.zone,
      }),
      zoneName: words.times.zone,
      sum: sumView(t, my.counts),
      grade: gradeWords(words, my.attendance, my.notGraded, "self"),
      rule: course.policy.kind === "no-grades" || my.notGraded !== null ? [] : policyWords(t, course.policy),
      live: rows("live"),
      next: rows("next"),
      past: rows("past"),
      presenceRule: presence.ruleMine,
      more: left === 0 ? null : t("mine.sessions.more", { count: left }),
    });
  });
  router.use(myCalendarRoutes(deps));
  return router;
}
