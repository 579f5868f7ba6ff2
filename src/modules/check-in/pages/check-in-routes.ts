import { type Request, Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import type { Course } from "../../../domain/course.ts";
import { refusal } from "../../../kernel/refusal.ts";
import {
  type Codes,
  listOpen,
  type ListOpenDeps,
  startCheckIn,
  stopCheckIn,
  switchCheckIn,
} from "../check-in.ts";
import { readCode, readMinutes, scannedAt, shownCode } from "../rules/check-in.ts";
import { takeCode } from "../take-code.ts";
import { settingsRead } from "../../courses/pages/settings-read.ts";
import { readerLocale } from "../../../web/browser-of.ts";
import { coursePages } from "../../../web/course-pages.ts";
import { addressBelow } from "../../../web/page-address.ts";
import { readNews } from "../../../web/page-news.ts";
import { keepFormsHere } from "../../../web/security-headers.ts";
import { sessionFolder } from "../../../web/session-address.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView, renderView } from "../../../web/view.ts";
import { myCheckInNews, myCheckInPage, typedIn } from "./my-check-in-page.ts";
import { minutesText, screenNews, screenPage } from "./screen-page.ts";

const ofSession = z.object({ event: z.string().max(300).catch("") });
const started = ofSession.extend({ minutes: z.string().max(10).catch("") });
const switched = z.object({ on: z.enum(["on", "off"]).nullable().catch(null) });

/**
 * /course/check-in/screen: what the screen in the room shows of a session, for instructors who may mark attendance; /start and /stop.
 * /course/check-in/switch: whether the course wants it at all, from the settings page.
 */
export function screenRoutes(app: App & { codes: Codes }): Router {
  const pages = coursePages(app);
  const shown = pages.read(
    "/course/check-in/screen",
    {
      ...{ who: "corrections", fields: (posted: unknown) => ofSession.parse(posted) },
      news: readNews(screenNews),
    },
    ({ visit, fields: { event } }, news) => screenPage(app, visit, event, news),
  );
  pages.change(
    "/course/check-in/start",
    { who: "corrections", fields: (posted) => started.parse(posted) },
    async ({ visit: { course, session }, fields: { event, minutes: chosen } }) => {
      const minutes = readMinutes(chosen);
      if (minutes === null) throw refusal("bad-request", { status: 400 });
      const t = app.translatorOf(null);
      const of = { eventId: event, minutes, by: session.personId };
      const isNew = await startCheckIn(app, course, of, (number) => minutesText(t, number));
      return shown.after({ event }, isNew ? "started" : "already");
    },
  );
  pages.change(
    "/course/check-in/stop",
    { who: "corrections", fields: (posted) => ofSession.parse(posted) },
    async ({ visit: { course }, fields: { event } }) => {
      await stopCheckIn(app, course, event);
      return shown.after({ event }, "stopped");
    },
  );
  pages.change(
    "/course/check-in/switch",
    { who: "settings", fields: (posted) => switched.parse(posted) },
    async ({ visit: { course, session }, fields: { on } }) => {
      if (on === null) throw refusal("bad-request", { status: 400 });
      const t = app.translatorOf(null);
      await switchCheckIn(app, course, session.personId, on === "on", (is) =>
        t("label.value", { label: t("checkIn.heading"), value: t(`checkIn.switch.${is ? "on" : "off"}`) }),
      );
      return pages.elsewhere(...settingsRead(app)).after({ scope: "course" }, { saved: true, space: null });
    },
  );
  return pages.router;
}

const shape = z.object({ code: z.string().max(100).catch("") });

/** /course/check-in: where a learner types the code of the screen in the room, for themselves only; /take takes it. */
export function myCheckInRoutes(app: App & { codes: Codes }): Router {
  const pages = coursePages(app);
  const fields = (posted: unknown) => shape.parse(posted);
  const shown = pages.read(
    "/course/check-in",
    { who: "member", fields, news: readNews(myCheckInNews) },
    ({ visit, fields: { code } }, news) => myCheckInPage(app, visit, typedIn(code), { news }),
  );
  pages.change("/course/check-in/take", { who: "member", fields }, async ({ visit, fields: { code } }) => {
    const taken = await takeCode(app, visit.course, visit.member, code);
    if (taken.kind === "refused") return myCheckInPage(app, visit, typedIn(code), { refused: taken.why });
    const { at, isLate, again } = taken;
    return shown.after({}, { at, status: isLate ? "LATE" : "PRESENT", again });
  });
  return pages.router;
}

export type ScannedPage = {
  t: Translate;
  title: string;
  /** Null where nobody may check in any more, or the address is no code's. */
  code: string | null;
  /** Of the course in the LMS. */
  courseUrl: string | null;
};

const view = defineView<ScannedPage>("course/check-in-scanned");

const asked = z.object({ id: z.string().max(100).catch(""), code: z.string().max(100).catch("") });

type ScannedDeps = ListOpenDeps & Pick<App, "courses" | "translatorOf" | "sessions" | "sessionCookie">;

/**
 * GET /check-in/<id>: what a phone opens that scans the code. It takes nothing: it leads to the learner's own page with the code in its
 * field, where this browser has just opened the course, else to the course in the LMS, whose pages ask for the code.
 */
export function scannedRoutes(deps: ScannedDeps): Router {
  const router = Router();
  router.get(`${scannedAt}/:id`, async (request, response) => {
    const { id, code } = asked.parse({ ...request.query, id: request.params.id });
    const t = deps.translatorOf(readerLocale(request));
    const course = await openCourse(deps, id);
    const read = course === null ? null : readCode(code);
    const own = course === null || read === null ? null : await sessionHere(deps, request, course);
    if (own !== null && read !== null) {
      response.redirect(303, sessionFolder(own) + addressBelow("/check-in", { code: read }));
      return;
    }
    keepFormsHere(response);
    response.status(read === null ? 404 : 200);
    renderView(response, view, {
      t,
      title: t("checkIn.heading"),
      code: read === null ? null : shownCode(read),
      courseUrl: course?.courseUrl ?? null,
    });
  });
  return router;
}

/** The session of the course that this browser opened last; its own page asks for its proof. Null for none. */
async function sessionHere(
  { sessions, sessionCookie }: ScannedDeps,
  request: Request,
  course: Pick<Course, "id">,
): Promise<string | null> {
  const id = sessionCookie.pointsTo(request);
  const known = id === null ? null : await sessions.about(id);
  return known?.over === null && known.session.courseId === course.id ? id : null;
}

/** The course of a check-in that is open; null for any other id. */
async function openCourse(deps: ScannedDeps, id: string) {
  const known = await deps.checkIns.find(id);
  const course = known === null ? null : await deps.courses.find(known.courseId);
  if (course === null) return null;
  return (await listOpen(deps, course)).some(({ checkIn }) => checkIn.id === id) ? course : null;
}
