import express, { Router } from "express";
import { z } from "zod";
import { sessionLasts } from "../../../domain/browser-session.ts";
import type { App } from "../../../app.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView, renderView } from "../../../web/view.ts";
import { numberText } from "../../../web/number-text.ts";
import { webAddressOrNull } from "../../../web/web-address.ts";
import { sessionFolder, sessionIdIn } from "../../../web/session-cookie.ts";
import { courseNameOf } from "../../../web/course-words.ts";

const form = z.object({
  session: z.unknown().optional(),
  everywhere: z.literal("yes").optional().catch(undefined),
  /** A page of the session, with what it is asked for. */
  to: z
    .string()
    .regex(/^\/[\w/.-]{1,100}(\?[^#]{0,2000})?$/)
    .catch("/home"),
});

export type SignedOutPage = {
  t: Translate;
  title: string;
  courseName: string;
  courseUrl: string | null;
  /** By which others of the person can be ended; null where there are none. */
  ended: string | null;
  others: string | null;
  everywhere: boolean;
};

const signedOutView = defineView<SignedOutPage>("course/signed-out");

/**
 * POST /course/sign-out: ends the session of the page, with every page that was opened from the same launch; the answer
 * offers to end the person's others in this course. POST /course/tab: opens a page of the session in a tab beside its frame,
 * which has its own cookies. POST /alive: a page that somebody sits before without pressing
 * anything, such as a lesson in a frame, says that it is still there.
 */
export function signOutRoutes(app: App): Router {
  const router = Router();
  const parse = express.urlencoded({ extended: false, limit: "16kb" });
  router.post("/course/sign-out", parse, async (request, response) => {
    const { session: token, everywhere } = form.parse(request.body ?? {});
    const { session, others } = await app.signOut(token, everywhere === "yes");
    app.sessionCookie.clear(response, sessionIdIn(session.token ?? ""));
    const course = await app.courses.find(session.courseId);
    const t = app.translatorOf(session.locale);
    const courseName = course === null ? t("product.name") : courseNameOf(t, course);
    // Also clears pages that the browser keeps for Back.
    response.set({ "Cache-Control": "no-store", "Clear-Site-Data": '"cache"' });
    renderView(response, signedOutView, {
      t,
      title: t("signOut.title", { course: courseName }),
      courseName,
      courseUrl: webAddressOrNull(course?.courseUrl ?? null),
      ended: others === 0 ? null : (session.token ?? null),
      others: others === 0 ? null : t("signOut.others", { count: others, number: numberText(t, others) }),
      everywhere: everywhere === "yes",
    });
  });
  router.post("/course/tab", parse, async (request, response) => {
    const { session: token, to } = form.parse(request.body ?? {});
    const { token: own = "", launchedAt = 0 } = await app.sessions.read(token);
    app.sessionCookie.set(request, response, own, launchedAt + sessionLasts - app.clock.now());
    response.redirect(303, sessionFolder(sessionIdIn(own)) + to);
  });
  router.post("/alive", parse, async (request, response) => {
    await app.sessions.readForEntry(form.parse(request.body ?? {}).session);
    response.status(204).end();
  });
  return router;
}
