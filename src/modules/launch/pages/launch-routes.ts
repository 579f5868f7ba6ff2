import { type Request, Router } from "express";
import { readForm } from "../../../kernel/read-form.ts";
import type { App } from "../../../app.ts";
import { coursePages } from "../../../web/course-pages.ts";
import { targetAsShown, wishOf } from "../../joining/pages/space-page.ts";
import { homeAfter, homePage, homeRead } from "./home-page.ts";
import { changeLinkAsPosted, linkFieldsOf } from "./link-opens.ts";
import { sendInside } from "./send-inside.ts";

/** /enter (the button), /course/home (everybody's first page), /course/link ("what this link opens"). */
export function launchRoutes(app: App): Router {
  const router = Router();
  const form = readForm({ maxBytes: 16 * 1024 });
  router.post("/enter", form, async (request, response) => {
    const session = await app.sessions.readForEntry(tokenIn(request));
    await sendInside(app, session, request, response, { wish: wishOf(request.body), returnUrl: null });
  });
  const pages = coursePages(app);
  pages.read(...homeRead(app));
  pages.change(
    "/course/link",
    { who: "settings", fields: linkFieldsOf },
    async ({ visit, fields, browser }) => {
      const change = await changeLinkAsPosted(app, visit, fields);
      if (change === null) return homeAfter(app, pages, null);
      if (change.refused === null) return homeAfter(app, pages, { what: "link-changed" });
      const target = await targetAsShown(app, visit.session, browser, "as-set");
      return homePage(app, visit.session, target, { change });
    },
  );
  router.use(pages.router);
  return router;
}

function tokenIn(request: Request): unknown {
  const body: unknown = request.body;
  return typeof body === "object" && body !== null && "session" in body ? body.session : null;
}
