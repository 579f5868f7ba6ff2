import express, { type Response, Router } from "express";
import { z } from "zod";
import type { Course } from "../../../domain/course.ts";
import { answerCopiedSettings, type AnswerCopiedSettingsDeps } from "../answer-copied-settings.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { instructorVisit } from "../../../web/instructor-visit.ts";
import type { Session, Sessions } from "../../../web/session.ts";
import type { TranslatorOf } from "../../../web/translate.ts";
import { answeredPanel, type CopiedPanel } from "./copied-panel.ts";

export type CopiedRoutesDeps = AnswerCopiedSettingsDeps & {
  sessions: Sessions;
  translatorOf: TranslatorOf;
  /** The course's page, with a panel about the answer. */
  showHome: (
    session: Session,
    course: Course,
    response: Response,
    shown: { panel: CopiedPanel },
  ) => Promise<void>;
};

/** What the form brings; anything of another kind counts as missing. */
const formSchema = z.object({
  session: z.unknown().optional(),
  answer: z.enum(["take", "decline"]).nullable().catch(null),
});

/** POST /course/copied: an instructor's answer to the question of a copied course, with the session as a form field. */
export function copiedRoutes(deps: CopiedRoutesDeps): Router {
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
        throw new NamedError("bad-request", "The answer was not understood. Go back and try again.", {
          status: 400,
        });
      }
      const answered = await answerCopiedSettings(deps, course, answer);
      const t = deps.translatorOf(session.locale);
      const panel = answeredPanel(t, answered.outcome);
      await deps.showHome(session, answered.course, response, { panel });
    },
  );
  return router;
}
