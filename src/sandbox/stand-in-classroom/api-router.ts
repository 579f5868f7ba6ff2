import express, { type Request, type Response, Router } from "express";
import { z } from "zod";
import type { Clock } from "../../kernel/clock.ts";
import type { Operations } from "./api-operations.ts";
import type { ApiCall, CallLog } from "./call-log.ts";
import type { Fault, Faults } from "./faults.ts";
import { createRateLimit, type RateLimit } from "./rate-limit.ts";
import { Refusal } from "./refusal.ts";

/** Which of the document's two descriptions the service follows; "b" also wraps its replies. */
export type Spelling = "a" | "b";

type Route = { method: "GET" | "POST"; path: string; operation: keyof Operations };

const sameInBoth: Route[] = [
  { method: "POST", path: "/spaces/create", operation: "createSpace" },
  { method: "POST", path: "/events", operation: "createEvent" },
  { method: "GET", path: "/events/:eventId", operation: "readEvent" },
  { method: "GET", path: "/attendance/:eventId", operation: "readAttendance" },
  { method: "GET", path: "/programs/:programId/cohorts/:cohortId", operation: "readCohort" },
  { method: "GET", path: "/alerts/:alertId", operation: "readAlert" },
  { method: "POST", path: "/webhooks", operation: "configureWebhook" },
  { method: "GET", path: "/analytics/sessions", operation: "readSessions" },
  { method: "GET", path: "/spaces/recordings", operation: "readRecordings" },
];

const routes: Record<Spelling, Route[]> = {
  a: [
    { method: "POST", path: "/users/createAPIUser", operation: "createApiUser" },
    { method: "POST", path: "/users/:userId/authorize", operation: "authorize" },
    ...sameInBoth,
  ],
  b: [
    { method: "POST", path: "/user/createAPIUser", operation: "createApiUser" },
    { method: "GET", path: "/users/:userId/authorize", operation: "authorize" },
    { method: "GET", path: "/user/authorize", operation: "authorize" },
    ...sameInBoth,
  ],
};

const fields = z.record(z.string(), z.string());

/** The API: log, then key, then rate limit, then faults, then the operation. */
export function createApiRouter(deps: {
  operations: Operations;
  spelling: Spelling;
  apiKey: string;
  rateLimit: boolean;
  calls: CallLog;
  faults: Faults;
  clock: Clock;
}): Router {
  const { clock, calls, faults } = deps;
  const limit = createRateLimit();
  const router = Router();
  router.use(express.json({ limit: "1mb" }));

  async function answer(route: Route | null, request: Request, response: Response): Promise<void> {
    const call = logged(route?.operation ?? "unknown", request);
    calls.add(call);
    response.on("finish", () => {
      call.status = response.statusCode;
    });
    if (!passesGate(call, request, response)) return;
    if (route === null) throw new Refusal(404, "NOT_FOUND", "No such address.");
    const operate = () =>
      deps.operations[route.operation]({
        path: fields.parse(request.params),
        query: request.query,
        body: call.body,
      });
    const fault = faults.take(route.operation);
    if (fault !== null && (await spoil(fault, operate, response))) return;
    const reply = operate();
    response.status(route.method === "POST" ? 201 : 200).json(deps.spelling === "b" ? wrapped(reply) : reply);
  }

  function logged(operation: string, request: Request): ApiCall {
    const body: unknown = request.body;
    const { method, path, query } = request;
    return { at: clock.now(), operation, method, path, query, body, status: null, refusedByLimit: false };
  }

  function passesGate(call: ApiCall, request: Request, response: Response): boolean {
    if (request.get("authorization") !== `Bearer ${deps.apiKey}`)
      throw new Refusal(401, "UNAUTHORIZED", "Send the API key as a bearer token.");
    return !deps.rateLimit || withinLimit(limit, call, deps.apiKey, response);
  }

  /** Plays a fault; false when the normal answer should still follow. */
  async function spoil(fault: Fault, operate: () => unknown, response: Response): Promise<boolean> {
    if (fault.kind === "slow") {
      await clock.sleep(fault.delayMs);
      return false;
    }
    if (fault.takesEffect) operate();
    if (fault.kind === "429") {
      if (fault.retryAfterSeconds !== null) response.set("Retry-After", String(fault.retryAfterSeconds));
      response.status(429).json(errorBody("TOO_MANY_REQUESTS", "Too many requests."));
    } else if (fault.kind === "500") {
      response.status(500).json(errorBody("INTERNAL", "Something went wrong."));
    } else if (fault.kind === "garbage") {
      response.status(200).type("html").send("<!doctype html><title>Maintenance</title>");
    } else if (fault.kind === "empty") {
      response.status(200).json({});
    } else {
      response.destroy();
    }
    return true;
  }

  for (const route of routes[deps.spelling]) {
    const register = route.method === "GET" ? router.get.bind(router) : router.post.bind(router);
    register(route.path, (request: Request, response: Response) => answer(route, request, response));
  }
  for (const path of new Set(routes[deps.spelling].map((route) => route.path))) {
    router.all(path, (request: Request) => {
      calls.add({ ...logged("unknown", request), status: 405 });
      throw new Refusal(405, "METHOD_NOT_ALLOWED", `${request.method} is not answered here.`);
    });
  }
  router.use((request: Request, response: Response) => answer(null, request, response));
  return router;
}

/** The invented error body. */
export function errorBody(code: string, message: string) {
  return { error: { code, message } };
}

function withinLimit(limit: RateLimit, call: ApiCall, key: string, response: Response): boolean {
  const { retryAfterSeconds } = limit(key, call.at);
  if (retryAfterSeconds === null) return true;
  call.refusedByLimit = true;
  response.set("Retry-After", String(retryAfterSeconds)).status(429);
  response.json(errorBody("TOO_MANY_REQUESTS", "Fewer than 5 calls a second, please."));
  return false;
}

/** The second spelling also answers in another shape, so that a client must not rely on one (invented). */
function wrapped(reply: unknown): unknown {
  const record = z.record(z.string(), z.unknown()).parse(reply);
  const own = ["eventId", "userId", "spaceId"].find((name) => name in record);
  if (own === undefined) return { data: record };
  const { [own]: id, ...rest } = record;
  return { data: { id, ...rest } };
}
