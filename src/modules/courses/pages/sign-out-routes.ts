import express, { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView, renderView } from "../../../web/view.ts";
import { numberText } from "../../../web/number-text.ts";
import { webAddressOrNull } from "../../../web/web-address.ts";
import { courseNameOf } from "../../../web/course-words.ts";

const form = z.object({ session: z.unknown().optional(), everywhere: z.literal("yes").optional() }).catch({});

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
 * Ends the session of the page, with every page opened from the same launch; the answer offers to end the person's
 * others in this course. POST /alive: a page where nobody presses anything, such as a lesson in a frame, is still open.
 */
export function signOutRoutes(app: App): Router {
  const router = Router();
  const parse = express.urlencoded({ extended: false, limit: "16kb" });
  router.post("/course/sign-out", parse, async (request, response) => {
    const { session: token, everywhere } = form.parse(request.body);
    const { session, others } = await app.signOut(token, everywhere === "yes");
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
  router.post("/alive", parse, async (request, response) => {
    await app.sessions.readForEntry(form.parse(request.body).session);
    response.status(204).end();
  });
  return router;
}
