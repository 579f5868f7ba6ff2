import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { page, type PageAnswer } from "../../../web/answer.ts";
import { coursePages, noFields } from "../../../web/course-pages.ts";
import { readNews } from "../../../web/page-news.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import type { CourseFrame, Notice } from "../../../web/partials.ts";
import { defineView } from "../../../web/view.ts";
import { namesOfUsers } from "../../members/people.ts";
import { listAlerts, seeAlert } from "../list-open-alerts.ts";
import { type AlertView, alertView } from "./alerts-view.ts";

export type AlertsPage = CourseFrame & {
  notice: Notice | null;
  /** Open, and seen by nobody. */
  fresh: AlertView[];
  older: AlertView[];
  zone: string;
};

const alertsView = defineView<AlertsPage>("course/alerts");

const posted = z.object({
  alert: z.string().max(300).catch(""),
  look: z.string().max(1_000).catch(""),
});
type Posted = z.infer<typeof posted>;

/** What became of marking an alert as seen. changed: the classroom has said more about it since. */
const markings = z.enum(["marked", "changed", "gone"]);
type Marking = z.infer<typeof markings>;

const statuses = { marked: 200, changed: 409, gone: 404 } as const;

/** /course/alerts: what the classroom noticed about a course's sessions; /seen marks one as seen. For instructors. */
export function alertsRoutes(app: App): Router {
  const pages = coursePages(app);
  const settings = { who: "settings", fields: (form: unknown) => posted.parse(form) } as const;
  const list = pages.read(
    "/course/alerts",
    { ...settings, news: readNews(markings), address: noFields },
    ({ visit }, marking) => alertsPage(app, visit, marking),
  );
  pages.change("/course/alerts/seen", settings, async ({ visit, fields }) => {
    const marking = await mark(app, visit, fields);
    return list.after({}, marking, statuses[marking]);
  });
  return pages.router;
}

async function mark(
  app: App,
  { session, course }: InstructorVisit,
  { alert: alertId, look }: Posted,
): Promise<Marking> {
  try {
    const done = await seeAlert(app, course, { alertId, look, personId: session.personId });
    return done ? "marked" : "changed";
  } catch (thrown) {
    if (!(thrown instanceof NamedError) || thrown.status !== 404) throw thrown;
    return "gone";
  }
}

async function alertsPage(
  app: App,
  { session, course }: InstructorVisit,
  marking: Marking | null,
): Promise<PageAnswer> {
  const t = app.translatorOf(session.locale);
  const times = courseTimes(course, t.locale);
  const alerts = await listAlerts(app, course);
  const authors = alerts.flatMap(({ alert }) => [
    alert.assigneeId,
    ...alert.history.map(({ updatedBy }) => updatedBy),
  ]);
  const words = { t, times, users: await namesOfUsers(app, course, authors) };
  const views = alerts.map((each) => ({ ...alertView(words, each), isNew: isNew(each) }));
  return page(alertsView, {
    title: t("alerts.title", { course: courseNameOf(t, course) }),
    notice:
      marking === null
        ? null
        : { tone: marking === "marked" ? "good" : "warning", text: t(`alerts.${marking}`) },
    fresh: views.filter((each) => each.isNew),
    older: views.filter((each) => !each.isNew),
    zone: t("sessions.zone.shown", { zone: times.place(app.clock.now()) }),
  });
}

function isNew({ alert, came }: Awaited<ReturnType<typeof listAlerts>>[number]): boolean {
  return !alert.closed && alert.seen === null && came === 0;
}
