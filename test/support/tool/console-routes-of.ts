import { z } from "zod";
import type { ConsoleApp } from "../../../src/modules/console/pages/console-session.ts";
import { consoleRoutes } from "../../../src/modules/console/pages/console-routes.ts";

/** A route of the console as it was declared: "GET /courses/:id". */
export type ConsoleRoute = { method: "GET" | "POST"; path: string };

/** Every route under /admin, also those that somebody adds tomorrow; nothing of them is called. */
export function allConsoleRoutes(): ConsoleRoute[] {
  const nothing: unknown = new Proxy({}, { get: (_target, name) => (name === "then" ? undefined : unused) });
  if (!isDeps(nothing)) throw new Error("unreachable");
  return routesIn(consoleRoutes(nothing));
}

const unused = () => {
  throw new Error("a route was called while routes were only listed");
};

/** The routes are listed, not called, so whatever they need is never looked at. */
function isDeps(value: unknown): value is ConsoleApp {
  return value !== undefined;
}

const layer = z.object({
  route: z
    .object({ path: z.string(), methods: z.record(z.string(), z.boolean()) })
    .nullish()
    .catch(null),
  handle: z.unknown(),
});
const stackOf = z.object({ stack: z.array(layer) });

function routesIn(router: unknown): ConsoleRoute[] {
  if (typeof router !== "function" || !("stack" in router)) return [];
  return stackOf.parse({ stack: router.stack }).stack.flatMap(({ route, handle }) => {
    if (route == null) return routesIn(handle);
    return Object.keys(route.methods).map((method) => ({
      method: method === "post" ? ("POST" as const) : ("GET" as const),
      path: route.path,
    }));
  });
}
