// From: document 4, 5 (item 1), 7 and 8; statuses but 429 are assumed.
import express, { type NextFunction, type Request, type Response, Router } from "express";
import { z } from "zod";
import type { Turned } from "../assumptions.ts";
import type { Operations } from "./api-operations.ts";
import type { Pages } from "./pages.ts";
import { errorBody, Refusal } from "./refusal.ts";
import {
  addToSpaceRoute,
  cohortListRoute,
  eventChangeRoutes,
  type Manners,
  readBody,
  type Route,
  type Spelling,
  spellings,
} from "./spellings.ts";
import {
  type ApiCall,
  type CallLog,
  createRateLimit,
  type Fault,
  type Faults,
  type LimitCounts,
  usualLimit,
} from "./traffic.ts";
import { writtenReply } from "./turned.ts";
import type { Classroom } from "./world.ts";

const fields = z.record(z.string(), z.string());

/** Log, key, rate limit and faults; the operation runs in the middle of the reply's time. A limit on replies applies at the end. */
export function createApiRouter(
  deps: Pick<Classroom, "turned" | "clock"> & {
    operations: Operations;
    spelling: Spelling;
    /** Change, cancel and list events, which the document does not show. */
    eventChanges: boolean;
    /** List cohorts, which the document does not show. */
    cohortList: boolean;
    apiKey: string;
    rateLimit: boolean;
    limitCounts: LimitCounts;
    /** How long this process has just been stalled (ms). */
    stalledFor: () => number;
    /** Duration of the next reply (ms). */
    replyTakes: () => number;
    calls: CallLog;
    faults: Faults;
    pages: Pages;
  },
): Router {
  const { clock, calls, faults, turned } = deps;
  const refusedCount = turned.has("refusedCallsAreFree");
  // Stricter for analytics (document part 8; the values are assumed).
  const analytics = { calls: 1, perMs: turned.has("analyticsTwoSeconds") ? 5_000 : 2_000 };
  const limits = [
    { isPassed: createRateLimit(usualLimit, refusedCount), ...usualLimit, of: null },
    { isPassed: createRateLimit(analytics, refusedCount), ...analytics, of: "readSessions" },
  ];
  const manners = turnedManners(spellings[deps.spelling], turned, [
    ...(deps.eventChanges ? eventChangeRoutes : []),
    ...(deps.cohortList ? [cohortListRoute] : []),
    ...(turned.has("addedWhenMade") ? [addToSpaceRoute] : []),
  ]);
  const router = Router();
  /** When a request's head arrived: a long body or a busy moment must not make it later. */
  const arrivals = new WeakMap<Request, { at: number; stalled: number }>();
  router.use((request: Request, _response: Response, next: NextFunction) => {
    arrivals.set(request, { at: clock.now(), stalled: deps.stalledFor() });
    next();
  });
  router.use(express.json({ limit: "1mb" }), express.urlencoded({ extended: false }));

  async function answer(route: Route | null, request: Request, response: Response): Promise<void> {
    const call = logged(route?.operation ?? "unknown", request);
    calls.add(call);
    response.on("finish", () => {
      call.status = response.statusCode;
    });
    throwUnlessKeyed(request);
    const takes = deps.replyTakes();
    if (deps.limitCounts === "replies") await pass(takes);
    if (!withinLimits(call, response)) return;
    const half = deps.limitCounts === "replies" ? 0 : takes / 2;
    await pass(half);
    if (route === null) {
      if (!manners.pagesForUnknown) throw new Refusal(404, "NOT_FOUND", "No such address.");
      response.status(404).type("html").send("<!doctype html><title>404</title><h1>Not Found</h1>");
      return;
    }
    const operate = () => {
      const input = inputOf(route, request, call.body);
      const reply = deps.operations[route.operation](input);
      const address = new URL(request.originalUrl, `http://${request.get("host") ?? "localhost"}`);
      return deps.pages.cut(route.operation, reply, input.query, address);
    };
    const fault = faults.take(route.operation);
    call.fault = fault;
    if (fault !== null && (await spoil(fault, operate, response))) return;
    const reply = operate();
    await pass(half);
    if (reply.link !== null) response.set("Link", reply.link);
    send(route, reply.body, response);
  }

  async function pass(ms: number): Promise<void> {
    if (ms > 0) await clock.sleep(ms);
  }

  function inputOf(route: Route, request: Request, body: unknown) {
    const inForm = request.is("application/x-www-form-urlencoded") === "application/x-www-form-urlencoded";
    if (manners.formBodies.includes(route.operation)) {
      if (!inForm) throw new Refusal(415, "UNSUPPORTED_MEDIA_TYPE", "Send the body as a form.");
    } else if (inForm) throw new Refusal(415, "UNSUPPORTED_MEDIA_TYPE", "Send the body as JSON.");
    const dropBody = route.operation === "authorize" && manners.redirectInQueryOnly;
    return {
      path: fields.parse(request.params),
      query: { ...fieldsOfSearch(route, body), ...request.query },
      body: manners.read(
        route.operation,
        readBody(turned, route.operation, inForm ? withBooleans(body) : dropBody ? {} : body),
      ),
    };
  }

  function send(route: Route, reply: unknown, response: Response): void {
    response.status(route.method === "POST" && !turned.has("creationsAre201") ? 201 : 200);
    const idField = manners.locationOnly[route.operation];
    if (idField !== undefined) {
      const id = fields.parse({ id: z.record(z.string(), z.unknown()).parse(reply)[idField] }).id ?? "";
      response.location(`/api/users/${encodeURIComponent(id)}`).end();
      return;
    }
    const written = manners.written(route.operation, writtenReply(turned, route.operation, reply));
    if (manners.plainText) response.type("text/plain").send(`\uFEFF${JSON.stringify(written)}`);
    else response.json(written);
  }

  function logged(operation: string, request: Request): ApiCall {
    const body: unknown = request.body;
    const { method, path, query } = request;
    const arrival = arrivals.get(request) ?? { at: clock.now(), stalled: 0 };
    const unanswered = { countedAt: null, status: null, refusedByLimit: false, fault: null };
    return { ...arrival, operation, method, path, query, body, ...unanswered };
  }

  function throwUnlessKeyed(request: Request): void {
    const { header, scheme } = manners.key;
    if (request.get(header) !== `${scheme}${deps.apiKey}`)
      throw new Refusal(401, "UNAUTHORIZED", "Send the API key as it was agreed.");
  }

  function withinLimits(call: ApiCall, response: Response): boolean {
    if (deps.limitCounts === "replies")
      Object.assign(call, { countedAt: clock.now(), stalled: deps.stalledFor() });
    else call.countedAt = call.at;
    if (!deps.rateLimit) return true;
    const { operation, at, countedAt, stalled } = call;
    const exceeded = limits.find(
      (limit) => (limit.of ?? operation) === operation && !limit.isPassed(countedAt ?? at, stalled),
    );
    if (exceeded === undefined) return true;
    call.refusedByLimit = true;
    if (!turned.has("limitNamesWait")) response.set("Retry-After", String(Math.ceil(exceeded.perMs / 1_000)));
    response.status(429).json(errorBody("TOO_MANY_REQUESTS", "Fewer calls, please."));
    return false;
  }

  /** False if the normal response should still follow. */
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

  const registers = {
    GET: router.get.bind(router),
    POST: router.post.bind(router),
    PATCH: router.patch.bind(router),
    DELETE: router.delete.bind(router),
  };
  for (const route of manners.routes) {
    registers[route.method](route.path, (request: Request, response: Response) =>
      answer(route, request, response),
    );
  }
  for (const path of manners.pagesForUnknown ? [] : new Set(manners.routes.map((route) => route.path))) {
    const methods = manners.routes.filter((route) => route.path === path).map((route) => route.method);
    router.all(path, (request: Request, response: Response) => {
      calls.add({ ...logged("unknown", request), status: 405 });
      response.set("Allow", methods.join(", "));
      throw new Refusal(405, "METHOD_NOT_ALLOWED", `${request.method} is not answered here.`);
    });
  }
  router.use((request: Request, response: Response) => answer(null, request, response));
  router.use((thrown: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (!(thrown instanceof Refusal)) next(thrown);
    else {
      response.status(refusalStatus(turned, thrown.status));
      if (turned.has("errorsHaveCodes")) response.type("text/plain").send(thrown.message);
      else response.json(manners.error(thrown.code, thrown.message));
    }
  });
  return router;
}

function turnedManners(spoken: Manners, turned: Turned, more: readonly Route[]): Manners {
  const recordings = turned.has("recordingsOfOneSpace");
  return {
    ...spoken,
    routes: [...spoken.routes, ...more].map((route) =>
      recordings && route.operation === "readRecordings" ? { ...route, method: "POST" } : route,
    ),
    key: turned.has("keyIsBearer") ? { header: "x-api-key", scheme: "" } : spoken.key,
    pagesForUnknown: spoken.pagesForUnknown || turned.has("unknownIsSaidInJson"),
    redirectInQueryOnly: spoken.redirectInQueryOnly || turned.has("redirectUrlInEither"),
    plainText: spoken.plainText || turned.has("repliesAreTyped"),
  };
}

function refusalStatus(turned: Turned, status: number): number {
  if (status === 400 && turned.has("wrongInputIs400")) return 422;
  if (status === 401 && turned.has("badKeyIs401")) return 403;
  return status === 404 && turned.has("missingIs404") ? 410 : status;
}

/** If a spelling reads by POST, the body filters the search as the query does. */
function fieldsOfSearch(route: Route, body: unknown): Record<string, unknown> {
  const reads = route.operation === "readRecordings" || route.operation === "readSessions";
  return reads ? (z.record(z.string(), z.unknown()).safeParse(body).data ?? {}) : {};
}

/** A form contains only texts. */
function withBooleans(body: unknown): unknown {
  const form = z.record(z.string(), z.unknown()).parse(body ?? {});
  return Object.fromEntries(
    Object.entries(form).map(([name, text]) => [
      name,
      text === "true" ? true : text === "false" ? false : text,
    ]),
  );
}
