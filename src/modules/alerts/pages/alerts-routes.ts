import express, { type Response, Router } from "express";
import { z } from "zod";
import { seeAlert, type SeeAlertDeps } from "../see-alert.ts";
import { listAlerts } from "../list-open-alerts.ts";
import { NamedError } from "../../../kernel/errors.ts";
import type { CourseStore } from "../../courses/store/course-store.ts";
import type { Sessions } from "../../../web/session.ts";
import type { TranslatorOf } from "../../../web/translate.ts";
import { type AlertView, alertView } from "./alerts-view.ts";
import type { CourseFrame, Notice } from "../../../web/partials.ts";
import { defineView, renderView } from "../../../web/view.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { type InstructorVisit, instructorVisit } from "../../../web/instructor-visit.ts";
import { namesOfUsers, type NamesOfUsersDeps } from "../../members/names-of-users.ts";
import { pageFrame } from "../../scheduling/pages/session-page.ts";
import { courseNameOf } from "../../../web/course-words.ts";

export type AlertsRoutesDeps = SeeAlertDeps &
  NamesOfUsersDeps & {
    courses: Pick<CourseStore, "find">;
    sessions: Sessions;
    translatorOf: TranslatorOf;
  };

const seenShape = z.object({
  alert: z.string().max(300).catch(""),
  revision: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .catch(-1),
});

/** POST /course/alerts: what the classroom noticed about a course's sessions; /seen marks one as seen. For instructors. */
export function alertsRoutes(deps: AlertsRoutesDeps): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "16kb" });
  router.post("/course/alerts", form, async (request, response) => {
    await showAlerts(deps, await instructorVisit(deps, request, "settings"), null, response);
  });
  router.post("/course/alerts/seen", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "settings");
    const { alert: alertId, revision } = seenShape.parse(request.body ?? {});
    const notice = await marked(deps, visit, { alertId, revision }, response);
    await showAlerts(deps, visit, notice, response);
  });
  return router;
}

async function marked(
  deps: AlertsRoutesDeps,
  { session, course }: InstructorVisit,
  which: { alertId: string; revision: number },
  response: Response,
): Promise<Notice> {
  const t = deps.translatorOf(session.locale);
  try {
    if (await seeAlert(deps, course, { ...which, personId: session.personId }))
      return { tone: "good", text: t("alerts.marked") };
    response.status(409);
    return { tone: "warning", text: t("alerts.changed") };
  } catch (thrown) {
    if (!(thrown instanceof NamedError) || thrown.status !== 404) throw thrown;
    response.status(404);
    return { tone: "warning", text: t("alerts.gone") };
  }
}

/** What the classroom warns of. */
export type AlertsPage = CourseFrame & {
  notice: Notice | null;
  /** Open, and seen by nobody. */
  fresh: AlertView[];
  older: AlertView[];
  zone: string;
};

const alertsPage = defineView<AlertsPage>("course/alerts");

async function showAlerts(
  deps: AlertsRoutesDeps,
  visit: InstructorVisit,
  notice: Notice | null,
  response: Response,
): Promise<void> {
  const { session, course } = visit;
  const t = deps.translatorOf(session.locale);
  const times = courseTimes(course, t.locale);
  const alerts = await listAlerts(deps, course);
  const told = alerts.flatMap(({ alert }) => [
    alert.assigneeId,
    ...alert.history.map(({ updatedBy }) => updatedBy),
  ]);
  const words = { t, times, users: await namesOfUsers(deps, course, told) };
  const views = alerts.map((each) => ({ ...alertView(words, each), isNew: isNew(each) }));
  renderView(response, alertsPage, {
    ...(await pageFrame(deps, visit, t)),
    title: t("alerts.title", { course: courseNameOf(t, course) }),
    notice,
    fresh: views.filter((each) => each.isNew),
    older: views.filter((each) => !each.isNew),
    zone: t("recordings.zone", { zone: times.zone }),
  });
}

function isNew({ alert, came }: Awaited<ReturnType<typeof listAlerts>>[number]): boolean {
  return !alert.closed && alert.seen === null && came === 0;
}
