import { fileURLToPath } from "node:url";
import type { Express, RequestHandler } from "express";
import { createLogger } from "../../src/kernel/logger.ts";
import { createMetrics } from "../../src/kernel/metrics.ts";
import type { Sessions } from "../../src/web/session.ts";
import { createSessionCookie, sessionAddresses } from "../../src/web/session-address.ts";
import { createWebApp, type WebAppDeps } from "../../src/web/web-app.ts";

/** The web front with some pages and nothing else. */
export function pagesApp(
  deps: Omit<WebAppDeps, "logger" | "metrics" | "framing" | "config" | "publicUrl" | "sessionAddresses"> & {
    sessions?: Sessions;
  } & Partial<Pick<WebAppDeps, "publicUrl">>,
  ...pages: RequestHandler[]
): Express {
  const remember: RequestHandler = (_request, _response, next) => {
    next();
  };
  return createWebApp(
    {
      publicUrl: "http://localhost",
      ...deps,
      metrics: createMetrics(deps),
      framing: { remember },
      sessionAddresses:
        deps.sessions === undefined
          ? remember
          : sessionAddresses({
              sessions: deps.sessions,
              sessionCookie: createSessionCookie("http://localhost"),
            }),
      logger: createLogger("silent"),
      config: { trustProxy: false, logActors: false },
    },
    (point) => (point === "pages" ? pages : []),
    fileURLToPath(new URL("../../views", import.meta.url)),
  );
}
