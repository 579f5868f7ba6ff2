import { type Request, type RequestHandler, Router } from "express";
import type { Clock } from "../kernel/clock.ts";
import type { Logger } from "../kernel/logger.ts";
import { refusal } from "../kernel/refusal.ts";
import { rememberIn } from "../kernel/lists.ts";
import {
  addressBlock,
  after,
  type Allowance,
  type Bucket,
  leftOf,
  waitFor,
} from "../modules/operations/rules/console-access.ts";

type RateLimitDeps = {
  clock: Pick<Clock, "now">;
  logger: Logger;
  /** Tells the metrics that a request of a route group was refused. */
  onLimited?: ((routeGroup: string) => void) | undefined;
};

/** How many addresses to remember. Those seen longest ago go first. */
const maxAddresses = 20_000;
/** How many proofs of sessions to remember. */
const maxProven = 20_000;
/** A flood is logged once in this time (ms). */
const logIntervalMs = 60_000;

/**
 * Limits how often one address may fail (4xx) in a group of routes. Beyond the limit, requests get 429 before anything is read.
 * Successful requests use nothing up. Each process counts separately: no secret depends on it (the store counts tries of the password),
 * it only limits what one address can make us do.
 * @param proofOf The proof of a session in a request. A session that opened a page before may continue, so people aren't kept out by
 * others behind the same address.
 */
export function createRateLimit(
  deps: RateLimitDeps,
  routeGroup: string,
  allowance: Allowance,
  proofOf: (request: Request) => string | null = () => null,
): RequestHandler {
  const buckets = new Map<string, Bucket>();
  const proven = new Map<string, true>();
  let refused = 0;
  let loggedAt = -Infinity;

  const take = (key: string): void => {
    rememberIn(buckets, maxAddresses, key, after(buckets.get(key), allowance, 1, deps.clock.now()));
  };
  const remember = (proof: string | null): void => {
    if (proof !== null) rememberIn(proven, maxProven, proof, true);
  };
  const report = (): void => {
    refused += 1;
    deps.onLimited?.(routeGroup);
    const now = deps.clock.now();
    if (now - loggedAt < logIntervalMs) return;
    deps.logger.warn(
      { door: routeGroup, refused },
      "one address sends too many requests and is refused for a while",
    );
    loggedAt = now;
    refused = 0;
  };
  return (request, response, next) => {
    const key = addressBlock(request.ip ?? "");
    const left = leftOf(buckets.get(key), allowance, deps.clock.now());
    const proof = proofOf(request);
    if (left < 1 && (proof === null || !proven.has(proof))) {
      report();
      response.set("Retry-After", String(Math.ceil(waitFor(left, allowance) / 1000)));
      throw refusal("too-many-requests", { status: 429, temporary: true });
    }
    // "finish" never comes if the client didn't wait, and "close" may come before the answer is known.
    response.on("prefinish", () => {
      if (response.statusCode >= 400 && response.statusCode < 500) take(key);
      // Only after a GET: a change may be answered before its session is looked up.
      if (request.method === "GET" && response.statusCode === 200) remember(proof);
    });
    next();
  };
}

/**
 * Limits by address for what strangers can request. They are wide and count only failures, because a school of 5,000 people
 * may have one address, and all may come together. Requests with a proven session pass.
 * || Logins and launches have no limit: a stranger's store nothing and cost less than a page, and one person in a school could keep
 * everybody else out. Webhooks have none: the classroom's must not be lost, and a wrong secret is refused before anything is
 * read.
 */
export function rateLimitRoutes(deps: RateLimitDeps): Router {
  const router = Router();
  const failures = (
    routeGroup: string,
    max: number,
    perSecond: number,
    proofOf?: (request: Request) => string | null,
  ) => createRateLimit(deps, routeGroup, { max, perSecond }, proofOf);
  router.use(["/c", "/course", "/enter", "/door", "/choose"], failures("course", 2_000, 20, proofIn));
  router.use("/lti/notices", failures("notices", 2_000, 20));
  router.use("/lti/register", failures("registration", 60, 1));
  // All calendar programs of one product use a few addresses.
  router.use("/calendar", failures("calendar", 2_000, 20));
  router.use("/mail", failures("mail", 2_000, 20));
  router.use("/ended", failures("ended", 2_000, 20));
  router.use("/brand", failures("brand", 2_000, 20));
  // The store also counts wrong passwords, over all processes.
  router.get("/admin/log-in/back", failures("console-log-in", 30, 1 / 10));
  router.post("/admin", failures("console", 30, 1 / 30));
  return router;
}

/** The proof of a session in a request for a page: a cookie, or the header that the page's script sends. */
function proofIn(request: Request): string | null {
  const proofs = `${request.get("cookie") ?? ""} ${request.get("authorization") ?? ""}`;
  return /(?<![\w-])[\w-]{16}\.[\w-]{43}/.exec(proofs)?.[0] ?? null;
}
