import { type RequestHandler, Router } from "express";
import { createRateLimit, type RateLimitDeps } from "./rate-limit.ts";

/**
 * Limits of the doors that anybody can knock at, each by address. They are wide: a school of 5,000 people has one address,
 * and all of them may come at the same moment. A login is given back when its launch succeeds, and everywhere else only
 * failures count, so people who do nothing wrong do not use anything up.
 *
 * Webhooks have none: a limit would have to refuse before it knows who knocks, and so also the classroom, whose word must
 * not be lost. A wrong secret is refused before anything is read, which costs no more than this would.
 */
export function rateLimitDoors(deps: RateLimitDeps): Router {
  const router = Router();
  const logins = createRateLimit(deps, "login", { most: 20_000, perSecond: 50 }, "all");
  const launches = createRateLimit(deps, "launch", { most: 5_000, perSecond: 20 }, "failures");
  const giveBackLogin: RequestHandler = (request, response, next) => {
    response.on("finish", () => {
      if (response.statusCode < 400) logins.giveBack(request);
    });
    next();
  };
  router.use("/lti/login", logins.guard);
  router.use("/lti/launch", launches.guard, giveBackLogin);
  const failures = (door: string, most: number, perSecond: number) =>
    createRateLimit(deps, door, { most, perSecond }, "failures").guard;
  router.use("/lti/notices", failures("notices", 2_000, 20));
  router.use("/lti/register", failures("registration", 60, 1));
  // Calendar programs of everybody who uses the same product come from a few addresses.
  router.use("/calendar", failures("calendar", 2_000, 20));
  router.use("/ended", failures("ended", 2_000, 20));
  // Beside the count of wrong passwords in the store, which holds over all processes.
  router.post("/admin", failures("console", 30, 1 / 30));
  return router;
}
