import { fileURLToPath } from "node:url";
import type { Express, RequestHandler } from "express";
import { createLogger } from "../../src/kernel/logger.ts";
import { createMetrics } from "../../src/kernel/metrics.ts";
import { createWebApp, type WebAppDeps } from "../../src/web/web-app.ts";

/** The web front with some pages and nothing else. */
export function pagesApp(
  deps: Omit<WebAppDeps, "logger" | "metrics" | "framing" | "config" | "entryTargets" | "publicUrl"> &
    Partial<Pick<WebAppDeps, "entryTargets" | "publicUrl">>,
  ...pages: RequestHandler[]
): Express {
  const remember: RequestHandler = (_request, _response, next) => {
    next();
  };
  return createWebApp(
    {
      entryTargets: [],
      publicUrl: "http://localhost",
      ...deps,
      metrics: createMetrics(deps),
      framing: { remember },
      logger: createLogger("silent"),
      config: { trustProxy: false, logActors: false },
    },
    (point) => (point === "pages" ? pages : []),
    fileURLToPath(new URL("../../views", import.meta.url)),
  );
}
