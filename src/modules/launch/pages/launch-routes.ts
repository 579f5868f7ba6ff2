import express, { type Request, Router } from "express";
import type { App } from "../../../app.ts";
import { coursePages } from "../../../web/course-pages.ts";
import { targetAsShown, wishOf } from "../../joining/pages/entry-as-shown.ts";
import { homeAfter, showEnterPage } from "./enter-page.ts";
import { changeLinkAsPosted, linkFieldsOf } from "./link-opens.ts";
import { sendInside } from "./send-inside.ts";

/** All carry the session as a form field. */
export function launchRoutes(app: App): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "16kb" });
  router.post("/enter", form, async (request, response) => {
    const session = await app.sessions.readForEntry(tokenIn(request));
    await sendInside(app, session, request, response, { wish: wishOf(request.body), returnUrl: null });
  });
  router.post("/course/enter", form, async (request, response) => {
    const session = await app.sessions.read(tokenIn(request));
    const target = await targetAsShown(app, session, request, "as-set");
    await showEnterPage(app, session, target, response);
  });
  const pages = coursePages(app);
  pages.change("/course/link", { who: "settings", fields: linkFieldsOf }, async ({ visit, fields }) =>
    homeAfter(app, { change: await changeLinkAsPosted(app, visit, fields) }),
  );
  router.use(pages.router);
  return router;
}

function tokenIn(request: Request): unknown {
  const body: unknown = request.body;
  return typeof body === "object" && body !== null && "session" in body ? body.session : null;
}
