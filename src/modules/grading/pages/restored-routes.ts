import express, { Router } from "express";
import { z } from "zod";
import { decideRestored, type DecideRestoredDeps, mostDiffering } from "../decide-restored.ts";
import type { CourseStore } from "../../courses/store/course-store.ts";
import { instructorVisit } from "../../../web/instructor-visit.ts";
import { renderRestored, type RestoredPageDeps } from "./restored-page.ts";
import { pointsText } from "./score-words.ts";

export type RestoredRoutesDeps = RestoredPageDeps &
  DecideRestoredDeps & { courses: Pick<CourseStore, "find"> };

const ids = z.string().max(100);
const posted = z.object({
  chosen: z.union([z.array(ids).max(mostDiffering), ids.transform((one) => [one])]).catch([]),
  act: z.enum(["send-chosen", "keep-chosen", "send-all", "keep-all"]).nullable().catch(null),
});

/**
 * POST /course/grades/restored shows the scores that differ from the gradebook since the database was restored, and carries out
 * what an instructor says about all or some of them.
 */
export function restoredRoutes(deps: RestoredRoutesDeps): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "64kb", parameterLimit: 2 * mostDiffering });
  router.post("/course/grades/restored", form, async (request, response) => {
    const { chosen: given, act } = posted.parse(request.body ?? {});
    const visit = await instructorVisit(deps, request, act === null ? "grades" : "corrections");
    const chosen = given.filter((id) => id !== "");
    if (act === null) {
      await renderRestored(deps, visit, response, null);
      return;
    }
    const [said, about] = act.split("-");
    if (about === "chosen" && chosen.length === 0) {
      await renderRestored(deps, visit, response, "nothing-chosen");
      return;
    }
    // The trail is in one language.
    const t = deps.translatorOf(null);
    const decision = {
      deliveryIds: about === "all" ? ("all" as const) : chosen,
      answer: said === "send" ? ("send-ours" as const) : ("leave-theirs" as const),
      actor: visit.session.personId,
    };
    const decided = await decideRestored(deps, visit.course, decision, (grade) => pointsText(t, grade));
    await renderRestored(deps, visit, response, { decided });
  });
  return router;
}
