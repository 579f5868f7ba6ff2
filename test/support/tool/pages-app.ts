import { fileURLToPath } from "node:url";
import type { Express, RequestHandler } from "express";
import { createLogger } from "../../../src/kernel/logger.ts";
import { createMetrics } from "../../../src/kernel/metrics.ts";
import { createSessions, type SessionJudge, type Sessions } from "../../../src/web/session.ts";
import { createSessionCookie, sessionAddresses } from "../../../src/web/session-address.ts";
import { createWebApp, type WebAppDeps } from "../../../src/web/web-app.ts";
import { createBackground } from "../../../src/kernel/async.ts";
import { type Clock, systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import type { Stores } from "../../../src/open-stores.ts";

/** The web front with some pages and nothing else. */
export function pagesApp(
  deps: Omit<
    WebAppDeps,
    "logger" | "metrics" | "framing" | "config" | "publicUrl" | "sessionAddresses" | "sessions"
  > & { sessions: Sessions } & Partial<Pick<WebAppDeps, "publicUrl">>,
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
      sessionAddresses: sessionAddresses({
        sessions: deps.sessions,
        sessionCookie: createSessionCookie("http://localhost"),
      }),
      logger: createLogger("silent"),
      config: { trustProxy: false, logActors: false },
    },
    (point) => (point === "pages" ? pages : []),
    fileURLToPath(new URL("../../../views", import.meta.url)),
  );
}

/** Sessions of course pages as the tool on the same database accepts them. */
export function sessionsOf(
  stores: Pick<Stores, "browserSessions">,
  { clock = systemClock, judge }: { clock?: Clock; judge?: SessionJudge } = {},
) {
  const background = createBackground(createLogger("silent"));
  return createSessions({ ...stores, clock, ids: randomIds, background }, judge);
}

/** Where the navigation of a course's page leads: its tabs, and what is under "More" as well, for a screen too narrow for them all. */
export function areasOf(page: { text: string }): { tabs: string[]; more: string[] } {
  const nav = /<nav class="areas[\s\S]*?<\/nav>/.exec(page.text)?.[0] ?? "";
  const [tabs = "", more = ""] = nav.split(/<li class="more[^"]*">/);
  return { tabs: areasIn(tabs), more: areasIn(more) };
}

function areasIn(html: string): string[] {
  return [...html.matchAll(/(?:href|action)="\/c\/[\w-]+([^"]+)"/g)].map(([, area = ""]) => area);
}
