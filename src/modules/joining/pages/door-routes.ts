import express, { type Response, Router } from "express";
import type { Session, Sessions } from "../../../web/session.ts";

/** What POST /door needs: reading the session, and the page that fits the door now. */
export type DoorRoutesDeps = {
  sessions: Pick<Sessions, "readForEntry">;
  /** The page with the button in the LMS's frame, or the closed door again. */
  showInFrame: (session: Session, request: express.Request, response: Response) => Promise<void>;
};

/**
 * POST /door: somebody in the LMS's frame looks again whether the door is open. Elsewhere the closed page posts to
 * /enter; a frame does not show the Space, so it needs the page with the button.
 */
export function doorRoutes(deps: DoorRoutesDeps): Router {
  const router = Router();
  router.post("/door", express.urlencoded({ extended: false, limit: "16kb" }), async (request, response) => {
    const body: unknown = request.body;
    const token = typeof body === "object" && body !== null && "session" in body ? body.session : null;
    await deps.showInFrame(await deps.sessions.readForEntry(token), request, response);
  });
  return router;
}
