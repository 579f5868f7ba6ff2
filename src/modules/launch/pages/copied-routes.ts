import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { coursePages } from "../../../web/course-pages.ts";
import { answerCopiedSettings } from "../answer-copied-settings.ts";
import { homeAfter } from "./home-page.ts";

/** Anything of another kind counts as missing. */
const shape = z.object({ answer: z.enum(["take", "decline"]).nullable().catch(null) });

export function copiedRoutes(app: App): Router {
  const pages = coursePages(app);
  pages.change(
    "/course/copied",
    // The grade policy is among what is taken over.
    { who: "corrections", fields: (posted) => shape.parse(posted) },
    async ({ visit, fields: { answer } }) => {
      if (answer === null) throw refusal("bad-request", { status: 400 });
      const { outcome } = await answerCopiedSettings(app, visit.course, answer);
      return homeAfter(app, pages, { what: "copied", outcome });
    },
  );
  return pages.router;
}
