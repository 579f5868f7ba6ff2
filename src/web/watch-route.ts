import type { Request } from "express";

/**
 * Notes a request's route. Express keeps the mount path of its router only for that moment: after an error
 * `request.baseUrl` is empty again.
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

/** The first address of a route with several. */
function patternOf(route: unknown): string | null {
  const path: unknown = typeof route === "object" && route !== null && "path" in route ? route.path : null;
  const first: unknown = Array.isArray(path) ? path[0] : path;
  return typeof first === "string" ? first : null;
}
