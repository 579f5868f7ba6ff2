import { Router } from "express";
import { createRateLimit, type RateLimitDeps } from "./rate-limit.ts";

/**
 * Limits by address of the route groups that need no session. They are wide: a school of 5,000 people has one address, and all may
 * come at once; only failures count.
 *
 * Logins and launches have none: a stranger's leave nothing behind and cost less than a page, and one person in a school could keep
 * all others out. Webhooks have none: a limit would also refuse the classroom, whose webhooks must not be lost; a wrong secret is
 * refused before anything is read, which costs no more.
 */
export function rateLimitRoutes(deps: RateLimitDeps): Router {
  const router = Router();
  const failures = (routeGroup: string, most: number, perSecond: number) =>
    createRateLimit(deps, routeGroup, { most, perSecond });
  router.use("/lti/notices", failures("notices", 2_000, 20));
  router.use("/lti/register", failures("registration", 60, 1));
  // Calendar programs of one product come from a few addresses.
  router.use("/calendar", failures("calendar", 2_000, 20));
  router.use("/ended", failures("ended", 2_000, 20));
  // The store counts wrong passwords, too, over all processes.
  router.post("/admin", failures("console", 30, 1 / 30));
  return router;
}
