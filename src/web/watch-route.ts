import type { Request } from "express";

/**
 * Notes which route a request comes to. Express tells it in `request.route`, but the part of the address at which that
 * route's router is mounted only at that moment: once an error has left the router, `request.baseUrl` is empty again.
 * @returns the pattern seen last, such as "/admin/registrations/:id"; "/assets" and "other" where there was no route.
 */
export function watchRoute(request: Request): () => string {
  let pattern: string | null = null;
  let current: unknown = undefined;
  Object.defineProperty(request, "route", {
    configurable: true,
    get: () => current,
    set: (route: unknown) => {
      current = route;
      const path = patternOf(route);
      if (path !== null) pattern = `${request.baseUrl}${path}`.replace(/(.)\/$/, "$1");
    },
  });
  const isAsset = request.path.startsWith("/assets/");
  return () => pattern ?? (isAsset ? "/assets" : "other");
}

/** A route that answers at several addresses is told by its first. */
function patternOf(route: unknown): string | null {
  const path: unknown = typeof route === "object" && route !== null && "path" in route ? route.path : null;
  const first: unknown = Array.isArray(path) ? path[0] : path;
  return typeof first === "string" ? first : null;
}
