import type { Express, Request } from "express";

/**
 * Notes the route of each request. Express keeps the mount path of its router only for that moment: after an error
 * `request.baseUrl` is empty again. It is noted by the prototype of requests: a getter of its own makes all of a request slow to read.
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
