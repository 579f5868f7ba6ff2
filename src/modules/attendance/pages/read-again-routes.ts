import express, { Router } from "express";
import { readAgain, type ReadAgain, type ReadAgainDeps } from "../read-again.ts";
import type { CourseStore } from "../../courses/store/course-store.ts";
import type { Translate } from "../../../web/translate.ts";
import { moreText } from "../../../web/more-text.ts";
import { instructorVisit } from "../../../web/instructor-visit.ts";
import { readRegister } from "./register-form.ts";
import { type RegisterPageDeps, renderRegister } from "./register-page.ts";

export type ReadAgainRoutesDeps = RegisterPageDeps & ReadAgainDeps & { courses: CourseStore };

/** POST /course/register/read: reads a session's attendance from the classroom and shows its register. For instructors. */
export function readAgainRoutes(deps: ReadAgainRoutesDeps): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "16kb" });
  router.post("/course/register/read", form, async (request, response) => {
    const visit = await instructorVisit(deps, request, "corrections");
    const posted = readRegister(request.body);
    const outcome = await readAgain(deps, visit.course, posted.eventId);
    // Read by the template beside the page's own values.
    response.locals["readAgain"] = readAgainText(deps.translatorOf(visit.session.locale), outcome);
    await renderRegister(deps, visit, posted, {}, response);
  });
  return router;
}

function readAgainText(t: Translate, outcome: ReadAgain): { text: string; good: boolean } {
  switch (outcome.kind) {
    case "read": {
      const { listed, news, unfinished } = outcome;
      const text = t("unmatched.again.read", { listed, news });
      if (unfinished === null) return { good: true, text };
      return { good: false, text: `${text} ${t("unmatched.again.more")} ${moreText(t, unfinished)}` };
    }
    case "failed":
      return { good: false, text: t("unmatched.again.failed", { problem: outcome.problem }) };
    case "waiting":
      return { good: false, text: t("unmatched.again.waiting") };
  }
}
