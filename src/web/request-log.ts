import { randomUUID } from "node:crypto";
import type { Request, RequestHandler, Response } from "express";
import type { Clock } from "../kernel/clock.ts";
import type { Logger } from "../kernel/logger.ts";
import { type Acting, inRequest } from "../kernel/request-scope.ts";
import { pathToLog } from "./path-to-log.ts";
import { requestId } from "./request-id.ts";

/** For the metrics. */
export type AnsweredRequest = {
  method: string;
  /** Pattern of its route, such as "/course/grades"; "/assets"; "other" where there was none. */
  route: string;
  status: number;
  ms: number;
};

export type RequestLogDeps = {
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
