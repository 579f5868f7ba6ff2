import { type Request, Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import type { Course } from "../../../domain/course.ts";
import { keepFormsHere } from "../../../web/security-headers.ts";
import { addressBelow } from "../../../web/page-address.ts";
import { readerLocale } from "../../../web/browser-of.ts";
import { sessionFolder } from "../../../web/session-address.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView, renderView } from "../../../web/view.ts";
import { listOpen, type ListOpenDeps } from "../list-open.ts";
import { readCode, shownCode } from "../rules/code.ts";
import { scannedAt } from "../rules/limits.ts";

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

export type ScannedDeps = ListOpenDeps & Pick<App, "courses" | "translatorOf" | "sessions" | "sessionCookie">;

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
