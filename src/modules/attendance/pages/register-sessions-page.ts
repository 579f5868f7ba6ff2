import { listSessions } from "../../scheduling/list-sessions.ts";
import { type PageAnswer, page } from "../../../web/answer.ts";
import { courseNameOf, courseWords } from "../../../web/course-words.ts";
import type { CourseSession } from "../../scheduling/rules/course-session.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import { defineView } from "../../../web/view.ts";
import type { AttendanceApp } from "./attendance-app.ts";
import { type SessionShown, sessionView } from "./session-view.ts";

export type RegisterSessionsPage = CourseFrame & {
  zone: string;
  sessions: SessionShown[];
  /** On the first page: the next one first. */
  coming: SessionShown[];
  page: number;
  pages: number;
};

export type RegisterLine = CourseFrame & { one: SessionShown };

const registerSessionsView = defineView<RegisterSessionsPage>("course/register-sessions");

const pageSize = 50;

export async function registerSessionsPage(
  app: AttendanceApp,
  visit: InstructorVisit,
  wantedPage: number,
): Promise<PageAnswer> {
  const words = await courseWords(app, visit);
  const { t } = words;
  const listed = await listSessions(app, visit.course);
  const now = app.clock.now();
  const isComing = ({ startsAt, cancelled }: CourseSession) =>
    !cancelled && startsAt !== null && startsAt > now;
  const known = listed.filter((one) => !isComing(one));
  const coming = listed.filter(isComing).reverse();
  const pages = Math.max(1, Math.ceil(known.length / pageSize));
  const at = Math.min(wantedPage, pages);
  return page(registerSessionsView, {
    title: t("register.title", { course: courseNameOf(t, visit.course) }),
    zone: words.times.place(now),
    sessions: known.slice((at - 1) * pageSize, at * pageSize).map((one) => sessionView(words, one, now)),
    coming: at === 1 ? coming.slice(0, pageSize).map((one) => sessionView(words, one, now)) : [],
    page: at,
    pages,
  });
}
