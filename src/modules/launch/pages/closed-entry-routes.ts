import { Router } from "express";
import { readForm } from "../../../kernel/read-form.ts";
import type { App } from "../../../app.ts";
import { showInFrame } from "./send-inside.ts";

/**
 * Looks again, from the LMS's frame, whether entry is open. Elsewhere the closed page posts to /enter; a frame does not
 * show the Space, so it needs the page with the button.
 */
export function closedEntryRoutes(app: App): Router {
  const router = Router();
  router.post("/door", readForm({ maxBytes: 16 * 1024 }), async (request, response) => {
    const body: unknown = request.body;
    const token = typeof body === "object" && body !== null && "session" in body ? body.session : null;
    const session = await app.sessions.readForEntry(token);
    await showInFrame(app, session, request, response, { returnUrl: null });
  });
  return router;
}
