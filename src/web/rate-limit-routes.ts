import { type Request, Router } from "express";
import { createRateLimit, type RateLimitDeps } from "./rate-limit.ts";

/**
 * Limits by address for what strangers can ask for. They are wide, and only failures count: a school of 5,000
 * people has one address, and all may come at once. Where people have sessions, those of proven ones go on.
 *
 * Logins and launches have none: a stranger's store nothing and cost less than a page, and one person in a school could
 * keep all others out. Webhooks have none: the classroom's must not be lost, and a wrong secret is refused before
 * anything is read.
 */
export function rateLimitRoutes(deps: RateLimitDeps): Router {
  const router = Router();
  const failures = (
    routeGroup: string,
    most: number,
    perSecond: number,
    proofOf?: (request: Request) => string | null,
  ) => createRateLimit(deps, routeGroup, { most, perSecond }, proofOf);
  router.use(["/c", "/course", "/enter", "/door", "/choose"], failures("course", 2_000, 20, proofIn));
  router.use("/lti/notices", failures("notices", 2_000, 20));
  router.use("/lti/register", failures("registration", 60, 1));
  // Calendar programs of one product come from a few addresses.
  router.use("/calendar", failures("calendar", 2_000, 20));
  router.use("/mail", failures("mail", 2_000, 20));
  router.use("/ended", failures("ended", 2_000, 20));
  router.use("/brand", failures("brand", 2_000, 20));
  // The store counts wrong passwords, too, over all processes.
  router.get("/admin/log-in/back", failures("console-log-in", 30, 1 / 10));
  router.post("/admin", failures("console", 30, 1 / 30));
  return router;
}

/** Of a page at its address: a cookie, or the header that its script sends. */
function proofIn(request: Request): string | null {
  const shown = `${request.get("cookie") ?? ""} ${request.get("authorization") ?? ""}`;
  return /(?<![\w-])[\w-]{16}\.[\w-]{43}/.exec(shown)?.[0] ?? null;
}
