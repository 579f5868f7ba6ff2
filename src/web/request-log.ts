import { randomUUID } from "node:crypto";
import type { Express, Request, RequestHandler, Response } from "express";
import type { Clock } from "../kernel/clock.ts";
import type { Logger } from "../kernel/logger.ts";
import { type Acting, inRequest } from "../kernel/request-scope.ts";

export type AnsweredRequest = {
  method: string;
  /** Pattern of its route, such as "/course/grades"; "/assets"; "other" where there was none. */
  route: string;
  status: number;
  ms: number;
};

type RequestLogDeps = {
  clock: Clock;
  logger: Logger;
  /** Whether log lines have the address of a request and its actor. */
  logActors: boolean;
  /** See `watchRoutes`. */
  routeOf: (request: Request) => string | null;
  onAnswered?: ((request: AnsweredRequest) => void) | undefined;
};

/** What machines ask every few seconds. */
const frequent = new Set(["/healthz", "/readyz", "/metrics"]);

const refusals = new WeakMap<Response, object>();

/** Why a request was refused, or failed as expected, for its line. */
export function noteRefusal(response: Response, facts: { code: string; sentence?: string }): void {
  refusals.set(response, facts);
}

/** Gives each request an id, in X-Request-Id and its log lines, and logs each answer; the query may carry tokens. */
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

/** A listener for both families says an IPv4 address as an IPv6 one (RFC 4291, 2.5.5.2). */
function addressOf({ ip = "" }: Pick<Request, "ip">): string {
  return ip.replace(/^::ffff:(?=\d+\.)/i, "");
}

/** Without the query and path secrets, which may be tokens. */
export function pathToLog({ originalUrl }: Pick<Request, "originalUrl">): string {
  const [path = ""] = originalUrl.split(/[?#]/);
  const [, secret] = /^\/+(calendar|mail)\//i.exec(path) ?? [];
  return secret === undefined ? path : `/${secret.toLowerCase()}/`;
}

/**
 * The proxy's X-Request-Id, so both logs can be compared, when it looks like an id; else a new one. The sender chooses
 * it, so its length and characters are bounded for log and page.
 */
export function requestId(given: string | undefined, make: () => string): string {
  return given !== undefined && /^[A-Za-z0-9][A-Za-z0-9._-]{7,63}$/.test(given) ? given : make();
}

/**
 * Notes the route of each request. Express keeps the mount path of its router only for that moment: after an error
 * `request.baseUrl` is empty again. It is noted by the prototype of requests: an own getter makes all of a request slow to read.
 * @returns the pattern that a request has seen last, such as "/admin/registrations/:id"; null where there was no route.
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

/** The first address of a route with several. */
function patternOf(route: unknown): string | null {
  const path: unknown = typeof route === "object" && route !== null && "path" in route ? route.path : null;
  const first: unknown = Array.isArray(path) ? path[0] : path;
  return typeof first === "string" ? first : null;
}
