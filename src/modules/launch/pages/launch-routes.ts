import express, { type Request, Router } from "express";
import type { App } from "../../../app.ts";
import { instructorVisit } from "../../../web/instructor-visit.ts";
import { targetAsShown, wishOf } from "../../joining/pages/entry-as-shown.ts";
import { showEnterPage } from "./enter-page.ts";
import { changeLinkAsPosted } from "./link-opens.ts";
import { sendInside } from "./send-inside.ts";

/**
 * POST /enter (the button), POST /course/enter (everybody's home), POST /course/link ("what this link opens"). All carry the
 * session as a form field.
 */
export function launchRoutes(deps: App): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: "16kb" });
  router.post("/enter", form, async (request, response) => {
    const session = await deps.sessions.readForEntry(tokenIn(request));
    await sendInside(deps, session, request, response, { wish: wishOf(request.body), returnUrl: null });
  });
  router.post("/course/link", form, async (request, response) => {
    const { session, course } = await instructorVisit(deps, request, "settings");
    const change = await changeLinkAsPosted(deps, session, course, request.body);
    await showEnterPage(deps, session, course, response, { change });
  });
  router.post("/course/enter", form, async (request, response) => {
    const session = await deps.sessions.read(tokenIn(request));
    const target = await targetAsShown(deps, session, request, "as-set");
    await showEnterPage(deps, session, target.course, response, { target });
  });
  return router;
}

function tokenIn(request: Request): unknown {
  const body: unknown = request.body;
  return typeof body === "object" && body !== null && "session" in body ? body.session : null;
}
