import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { coursePages } from "../../../web/course-pages.ts";
import { courseNameOf, type PageOf } from "../../../web/course-words.ts";
import type { PageContext } from "../../../web/declared-page.ts";
import type { Notice } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { namesOfUsers } from "../../members/people.ts";
import { listAlerts, seeAlert } from "../alerts.ts";
import { alertView } from "./alerts-view.ts";

const posted = z.object({ alert: z.string().max(300).catch(""), look: z.string().max(1_000).catch("") });

/** The result of marking an alert as seen. changed: the classroom has since reported more about it. */
const markings = z.enum(["marked", "changed", "gone"]);
type Marking = z.infer<typeof markings>;

/** What the classroom noticed about a course's sessions, for instructors. */
export function alertsRoutes(app: App): Router {
  const pages = coursePages(app);
  pages
    .page("/course/alerts", {
      who: "settings",
      fields: posted,
      news: markings,
      view: defineView<AlertsPage>("course/alerts"),
      model: alertsModel,
    })
    .act("/course/alerts/seen", {
      who: "settings",
      run: async ({ visit: { course, session }, fields: { alert: alertId, look }, after }) => {
        const done = await seeAlert(app, course, { alertId, version: look, personId: session.personId });
        return done ? after("marked") : after("changed", 409);
      },
      failed: ({ status }, { after }) => (status === 404 ? after("gone", 404) : null),
    });
  return pages.router;
}

export type AlertsPage = PageOf<typeof alertsModel>;

async function alertsModel(
  app: App,
  { visit: { course }, words }: PageContext<"settings", z.infer<typeof posted>>,
  marking: Marking | null,
) {
  const alerts = await listAlerts(app, course);
  const authors = alerts.flatMap(({ alert }) => [
    alert.assigneeId,
    ...alert.history.map(({ updatedBy }) => updatedBy),
  ]);
  const users = await namesOfUsers(app, course, authors);
  const views = alerts.map((each) => ({
    ...alertView({ ...words, users }, each),
    isNew: !each.alert.closed && each.alert.seen === null && each.came === 0,
  }));
  return {
    title: words.t("alerts.title", { course: courseNameOf(words.t, course) }),
    notice: marking === null ? null : noticeOf(words.t, marking),
    /** Open, and nobody has seen it. */
    fresh: views.filter(({ isNew }) => isNew),
    older: views.filter(({ isNew }) => !isNew),
  };
}

function noticeOf(t: Translate, marking: Marking): Notice {
  return { tone: marking === "marked" ? "good" : "warning", text: t(`alerts.${marking}`) };
}
