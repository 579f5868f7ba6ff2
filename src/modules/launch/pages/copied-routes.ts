import express, { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { answerCopiedSettings } from "../answer-copied-settings.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { instructorVisit } from "../../../web/instructor-visit.ts";
import { answeredPanel } from "./copied-panel.ts";
import { showEnterPage } from "./enter-page.ts";

/** What the form brings; anything of another kind counts as missing. */
const formSchema = z.object({
  session: z.unknown().optional(),
  answer: z.enum(["take", "decline"]).nullable().catch(null),
});

/** POST /course/copied: an instructor's answer to the question of a copied course, with the session as a form field. */
export function copiedRoutes(deps: App): Router {
  const router = Router();
  router.post(
    "/course/copied",
    express.urlencoded({ extended: false, limit: "16kb" }),
    async (request, response) => {
      const form = formSchema.parse(request.body ?? {});
      // The rule by which grades come about is among what is taken over.
      const { session, course } = await instructorVisit(deps, request, "corrections");
      const { answer } = form;
      if (answer === null) {
        throw refusal("bad-request", {
          status: 400,
        });
      }
      const answered = await answerCopiedSettings(deps, course, answer);
      const t = deps.translatorOf(session.locale);
      const panel = answeredPanel(t, answered.outcome);
      await showEnterPage(deps, session, answered.course, response, { panel });
    },
  );
  return router;
}
