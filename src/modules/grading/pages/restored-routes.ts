import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { coursePages, noFields } from "../../../web/course-pages.ts";
import { readNews } from "../../../web/page-news.ts";
import { decideRestored, maxDiffering } from "../decide-restored.ts";
import { restoredNews, restoredPage } from "./restored-page.ts";
import { pointsText } from "./score-words.ts";

const ids = z.string().max(100);
const posted = z.object({
  chosen: z.union([z.array(ids).max(maxDiffering), ids.transform((one) => [one])]).catch([]),
  act: z.enum(["send-chosen", "keep-chosen", "send-all", "keep-all"]).nullable().catch(null),
});

/** Scores that differ from the gradebook since a restore, and instructors' decisions about them. */
export function restoredRoutes(app: App): Router {
  const pages = coursePages(app);
  const path = "/course/grades/restored";
  const fields = (form: unknown) => posted.parse(form);
  const form = { maxFields: 2 * maxDiffering };
  pages.change(
    path,
    { who: "corrections", fields, form, takes: ({ act }) => act !== null },
    async ({ visit, fields: { chosen: given, act } }) => {
      const chosen = given.filter((id) => id !== "");
      const [said, about] = act?.split("-") ?? [];
      if (about === "chosen" && chosen.length === 0) return differing.after({}, "nothing-chosen");
      // The trail is in one language.
      const t = app.translatorOf(null);
      const decision = {
        deliveryIds: about === "all" ? ("all" as const) : chosen,
        answer: said === "send" ? ("send-ours" as const) : ("leave-theirs" as const),
        actor: visit.session.personId,
      };
      const decided = await decideRestored(app, visit.course, decision, (grade) => pointsText(t, grade));
      return differing.after({}, { decided });
    },
  );
  const differing = pages.read(
    path,
    { who: "grades", fields, form, news: readNews(restoredNews), address: noFields },
    ({ visit }, news) => restoredPage(app, visit, news),
  );
  return pages.router;
}
