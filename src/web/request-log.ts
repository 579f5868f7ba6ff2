import { randomUUID } from "node:crypto";
import type { Express, Request, RequestHandler, Response } from "express";
import type { Clock } from "../kernel/clock.ts";
import type { Logger } from "../kernel/logger.ts";
import { type Acting, inRequest } from "../kernel/request-scope.ts";

export type AnsweredRequest = {
  method: string;
  /** The pattern of its route, such as "/course/grades"; "/assets" for assets; "other" if there was no route. */
  route: string;
  status: number;
  ms: number;
};

type RequestLogDeps = {
  clock: Clock;
  logger: Logger;
  /** Whether log lines include a request's address and actor. */
  logActors: boolean;
  /** See `watchRoutes`. */
  routeOf: (request: Request) => string | null;
  onAnswered?: ((request: AnsweredRequest) => void) | undefined;
};

/** Paths that monitoring requests every few seconds. */
const frequent = new Set(["/healthz", "/readyz", "/metrics"]);

const refusals = new WeakMap<Response, object>();

/** Notes for the log line why a request was refused or failed as expected. */
export function noteRefusal(response: Response, facts: { code: string; sentence?: string }): void {
  refusals.set(response, facts);
}

/** Gives each request an id, sent as X-Request-Id and logged, and logs each answer. Queries aren't logged: they may contain tokens. */
export function requestLog({
  logger,
  clock,
  logActors,
  routeOf,
  onAnswered,
}: RequestLogDeps): RequestHandler {
  return (request, response, next) => {
    const started = clock.now();
    const id = requestId(request.get("x-request-id"), randomUUID);
    const path = pathToLog(request);
    const isAsset = path.startsWith("/assets/");
    const acting: Acting | null = logActors ? { client: addressOf(request) } : null;
    response.set("X-Request-Id", id);
    response.on("finish", () => {
      const ms = clock.now() - started;
      const facts = { request: id, method: request.method, path, status: response.statusCode, ms };
      const line = { ...facts, ...refusals.get(response), ...acting };
      const often = frequent.has(path) || isAsset;
      if (often) logger.debug(line, "request");
      else logger.info(line, "request");
      const route = routeOf(request) ?? (isAsset ? "/assets" : "other");
      onAnswered?.({ method: request.method, route, status: response.statusCode, ms });
    });
    inRequest(id, next, acting);
  };
}

/** A listener for IPv4 and IPv6 reports an IPv4 address in IPv6 form (RFC 4291, 2.5.5.2). */
function addressOf({ ip = "" }: Pick<Request, "ip">): string {
  return ip.replace(/^::ffff:(?=\d+\.)/i, "");
}

/** The path without its query and without secrets, which may be tokens. */
export function pathToLog({ originalUrl }: Pick<Request, "originalUrl">): string {
  const [path = ""] = originalUrl.split(/[?#]/);
  const [, secret] = /^\/+(calendar|mail)\//i.exec(path) ?? [];
  return secret === undefined ? path : `/${secret.toLowerCase()}/`;
}

/**
 * The proxy's X-Request-Id, so both logs can be compared, if it looks like an id; otherwise a new id. The sender chooses it, so
 * we limit its length and characters for log and page.
 */
export function requestId(given: string | undefined, make: () => string): string {
  return given !== undefined && /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/.test(given) ? given : make();
}

/**
 * Notes the route of each request. Express keeps a router's mount path only during the match: after an error, `request.baseUrl` is empty
 * again. The setter is on the prototype of requests, because an own property would slow down all access to a request.
 * @returns a function for the last pattern of a request, such as "/admin/registrations/:id"; null if there was no route.
 */
export function watchRoutes({
  request: prototype,
}: Pick<Express, "request">): (request: Request) => string | null {
  const seen = new WeakMap<Request, { route: unknown; pattern: string | null }>();
  Object.defineProperty(prototype, "route", {
    configurable: true,
    get: function (this: Request) {
      return seen.get(this)?.route;
    },
    set: function (this: Request, route: unknown) {
      const path = patternOf(route);
      const pattern = path === null ? null : `${this.baseUrl}${path}`.replace(/(.)\/$/, "$1");
      seen.set(this, { route, pattern: pattern ?? seen.get(this)?.pattern ?? null });
    },
  });
  return (request) => seen.get(request)?.pattern ?? null;
}

/** The first path, if a route has several. */
function patternOf(route: unknown): string | null {
  const path: unknown = typeof route === "object" && route !== null && "path" in route ? route.path : null;
  const first: unknown = Array.isArray(path) ? path[0] : path;
  return typeof first === "string" ? first : null;
}
