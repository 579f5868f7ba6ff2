import { type Request, Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import type { Course } from "../../../domain/course.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { listOpen, type OpenCheckInsApp, startCheckIn, stopCheckIn } from "../check-in.ts";
import { readCode, readMinutes, scannedAt, shownCode } from "../rules/check-in.ts";
import { type Codes, takeCode } from "../take-code.ts";
import { saveOption } from "../../courses/change-settings.ts";
import { settingsPage, settingsPath } from "../../courses/pages/settings-page.ts";
import { readerLocale } from "../../../web/browser-of.ts";
import { coursePages } from "../../../web/course-pages.ts";
import { addressBelow } from "../../../web/page-address.ts";
import { keepFormsHere } from "../../../web/security-headers.ts";
import { sessionFolder } from "../../../web/session-address.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView, renderView } from "../../../web/view.ts";
import { myCheckInModel, myCheckInNews, type MyCheckInPage } from "./my-check-in-page.ts";
import { minutesText, screenModel, screenNews, type ScreenPage } from "./screen-page.ts";

const ofSession = z.object({
  event: z.string().max(300).catch(""),
  minutes: z.string().max(10).catch(""),
});
const switched = z.object({ on: z.enum(["on", "off"]).nullable().catch(null) });

/**
 * The screen in the room, for instructors who may mark attendance; and whether the course wants check-ins at all, from the
 * settings page.
 */
export function screenRoutes(app: App & { codes: Codes }): Router {
  const pages = coursePages(app);
  pages
    .page("/course/check-in/screen", {
      who: "corrections",
      fields: ofSession,
      address: ({ event }) => ({ event }),
      news: screenNews,
      view: defineView<ScreenPage>("course/check-in-screen"),
      model: screenModel,
    })
    .act("/course/check-in/start", {
      who: "corrections",
      run: async ({ visit: { course, session }, fields: { event, minutes: chosen }, after }) => {
        const minutes = readMinutes(chosen);
        if (minutes === null) throw refusal("bad-request", { status: 400 });
        const t = app.translatorOf(null);
        const of = { eventId: event, minutes, by: session.personId };
        const isNew = await startCheckIn(app, course, of, (number) => minutesText(t, number));
        return after(isNew ? "started" : "already");
      },
    })
    .act("/course/check-in/stop", {
      who: "corrections",
      run: async ({ visit, fields, after }) => {
        await stopCheckIn(app, visit.course, fields.event);
        return after("stopped");
      },
    });
  const settings = pages.elsewhere(settingsPath, settingsPage);
  pages.change(
    "/course/check-in/switch",
    { who: "settings", fields: switched },
    async ({ visit: { course, session }, fields: { on } }) => {
      if (on === null) throw refusal("bad-request", { status: 400 });
      const t = app.translatorOf(null);
      await saveOption(app, course, session.personId, ["checkIn", on === "on"], (is) =>
        t("label.value", { label: t("checkIn.heading"), value: t(`checkIn.switch.${is ? "on" : "off"}`) }),
      );
      return settings.after({ scope: "course" }, { saved: true, space: null });
    },
  );
  return pages.router;
}

/** Where a learner types the code of the screen in the room, for themselves only. */
export function myCheckInRoutes(app: App & { codes: Codes }): Router {
  const pages = coursePages(app);
  pages
    .page("/course/check-in", {
      who: "member",
      fields: z.object({ code: z.string().max(100).catch("") }),
      news: myCheckInNews,
      view: defineView<MyCheckInPage>("course/check-in"),
      model: myCheckInModel,
    })
    .act("/course/check-in/take", {
      who: "member",
      run: async ({ visit: { course, member }, fields: { code }, after, again }) => {
        const taken = await takeCode(app, course, member, code);
        if (taken.kind === "refused") return again(taken.why, 422);
        return after({ at: taken.at, status: taken.isLate ? "LATE" : "PRESENT", again: taken.again });
      },
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

const asked = z.object({ id: z.string().max(100).catch(""), code: z.string().max(100).catch("") });

type ScannedApp = OpenCheckInsApp & Pick<App, "courses" | "translatorOf" | "sessions" | "sessionCookie">;

/**
 * GET /check-in/<id>: what a phone opens that scans the code. It takes nothing: it leads to the learner's own page with the code in its
 * field, where this browser has just opened the course, else to the course in the LMS, whose pages ask for the code.
 */
export function scannedRoutes(app: ScannedApp): Router {
  const router = Router();
  router.get(`${scannedAt}/:id`, async (request, response) => {
    const { id, code } = asked.parse({ ...request.query, id: request.params.id });
    const t = app.translatorOf(readerLocale(request));
    const course = await openCourse(app, id);
    const read = course === null ? null : readCode(code);
    const own = course === null || read === null ? null : await sessionHere(app, request, course);
    if (own !== null && read !== null) {
      response.redirect(303, sessionFolder(own) + addressBelow("/check-in", { code: read }));
      return;
    }
    keepFormsHere(response);
    response.status(read === null ? 404 : 200);
    renderView(response, defineView<ScannedPage>("course/check-in-scanned"), {
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
  { sessions, sessionCookie }: ScannedApp,
  request: Request,
  course: Pick<Course, "id">,
): Promise<string | null> {
  const id = sessionCookie.pointsTo(request);
  const known = id === null ? null : await sessions.about(id);
  return known?.over === null && known.session.courseId === course.id ? id : null;
}

/** The course of a check-in that is open; null for any other id. */
async function openCourse(app: ScannedApp, id: string) {
  const known = await app.checkIns.find(id);
  const course = known === null ? null : await app.courses.find(known.courseId);
  if (course === null) return null;
  return (await listOpen(app, course)).some(({ checkIn }) => checkIn.id === id) ? course : null;
}
