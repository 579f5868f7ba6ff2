import { Router } from "express";
import { createRateLimit, type RateLimitDeps } from "./rate-limit.ts";

/**
 * Limits of the doors that anybody can knock at, each by address. They are wide: a school of 5,000 people has one address,
 * and all of them may come at the same moment. Only failures count, so people who do nothing wrong do not use anything up.
 *
 * Logins and launches have none: a stranger's leave nothing behind and cost less than a page, and with a limit one person in
 * a school could keep all the others out. Webhooks have none: a limit would have to refuse before it knows who knocks, and so also the classroom, whose word must
 * not be lost. A wrong secret is refused before anything is read, which costs no more than this would.
 */
export function rateLimitDoors(deps: RateLimitDeps): Router {
  const router = Router();
  const failures = (door: string, most: number, perSecond: number) =>
    createRateLimit(deps, door, { most, perSecond });
  router.use("/lti/notices", failures("notices", 2_000, 20));
  router.use("/lti/register", failures("registration", 60, 1));
  // Calendar programs of everybody who uses the same product come from a few addresses.
  router.use("/calendar", failures("calendar", 2_000, 20));
  router.use("/ended", failures("ended", 2_000, 20));
  // Beside the count of wrong passwords in the store, which holds over all processes.
  router.post("/admin", failures("console", 30, 1 / 30));
  return router;
}
