import { readFileSync } from "node:fs";
import express from "express";
import { z } from "zod";
import type { ConsoleApp } from "../../../src/modules/console/pages/console-session.ts";
import { consoleRoutes } from "../../../src/modules/console/pages/console-routes.ts";

/** The routes that the running program answers; stories/routes.test.ts keeps the list up to date. */
export const listedRoutes = readFileSync(new URL("../../stories/routes.txt", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => {
    const [method = "", path = ""] = line.split(" ");
    return { method, path };
  });

/** Remembers where routers are mounted, which Express 5 itself forgets once it has turned the path into a matcher. */
const mounted = new WeakMap<object, string>();
const stackOf = z.object({ stack: z.array(z.unknown()) });
const layerOf = z.object({
  route: z
    .object({
      path: z.union([z.string().transform((path) => [path]), z.array(z.string())]),
      methods: z.record(z.string(), z.boolean()),
    })
    .nullish(),
  handle: z.unknown(),
});

/** To be called before routers are created. @returns a function that ends the remembering. */
export function rememberMounts(): () => void {
  const prototype: unknown = Reflect.get(express.Router, "prototype");
  if (typeof prototype !== "function") throw new Error("Express keeps its routers elsewhere now");
  const use: unknown = Reflect.get(prototype, "use");
  if (typeof use !== "function") throw new Error("Express mounts in another way now");
  const remembering = function (this: unknown, ...given: unknown[]): unknown {
    const before = layersOf(this).length;
    const result: unknown = Reflect.apply(use, this, given);
    const [path] = given;
    for (const layer of layersOf(this).slice(before))
      if (typeof layer === "object" && layer !== null && typeof path === "string" && path !== "/")
        mounted.set(layer, path);
    return result;
  };
  Reflect.set(prototype, "use", remembering);
  return () => Reflect.set(prototype, "use", use);
}

/**
 * Every route that an application answers, as "GET /course/grid", in alphabetical order. What a middleware answers itself is not seen: the
 * files under /assets, and ltijs's own addresses, which every story uses.
 */
export function listRoutes(app: unknown): string[] {
  return [...new Set(routesIn(typeof app === "function" && "router" in app ? app.router : null, ""))].sort();
}

function routesIn(router: unknown, prefix: string): string[] {
  return layersOf(router).flatMap((layer) => {
    const { route, handle } = layerOf.parse(layer);
    if (route == null) return routesIn(handle, prefix + mountOf(layer));
    return route.path.flatMap((path) =>
      Object.keys(route.methods).map(
        (method) => `${method.toUpperCase()} ${`${prefix}${path}`.replace(/(.)\/$/, "$1")}`,
      ),
    );
  });
}

function mountOf(layer: unknown): string {
  const path = typeof layer === "object" && layer !== null ? mounted.get(layer) : undefined;
  return path ?? "";
}

function layersOf(router: unknown): readonly unknown[] {
  if (typeof router !== "function" || !("stack" in router)) return [];
  return stackOf.parse({ stack: router.stack }).stack;
}

/** A route of the console as it was declared: "GET /courses/:id". */
export type ConsoleRoute = { method: "GET" | "POST"; path: string };

/** Every route under /admin, including new ones; none is called. */
export function allConsoleRoutes(): ConsoleRoute[] {
  const nothing: unknown = new Proxy({}, { get: (_target, name) => (name === "then" ? undefined : unused) });
  if (!isDeps(nothing)) throw new Error("unreachable");
  return routesIn(consoleRoutes(nothing), "").map((route) => {
    const [method, path = ""] = route.split(" ");
    return { method: method === "POST" ? "POST" : "GET", path };
  });
}

const unused = () => {
  throw new Error("a route was called while routes were only listed");
};

/** The routes are listed, not called, so what they need is never read. */
function isDeps(value: unknown): value is ConsoleApp {
  return value !== undefined;
}
