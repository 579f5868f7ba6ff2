// Imitates nothing.
import { once } from "node:events";
import { createServer } from "node:http";
import express, { type ErrorRequestHandler, type Express } from "express";
import { listen } from "../listen.ts";
import type { Clock } from "../../src/kernel/clock.ts";
import type { Logger } from "../../src/kernel/logger.ts";
import { nothingTurned, type Turned } from "../assumptions.ts";
import { mountAdminPages } from "./admin-pages.ts";
import { createLaunches, mountAuthorizationEndpoint } from "./authorization.ts";
import { canvasManners } from "./canvas-manners.ts";
import { mountCoursePages } from "./course-pages.ts";
import { mountDeepLinkingPages } from "./deep-linking-pages.ts";
import { createFaults, createRequestLog } from "./services.ts";
import { mountGradebookPages } from "./gradebook-pages.ts";
import { sendError, style } from "./pages.ts";
import { mountLaunchPages, mountNavigationPages, mountReviewPages } from "./launch-pages.ts";
import { createLmsControl } from "./lms-control.ts";
import type { LmsSeed } from "./lms-records.ts";
import { createLmsWorld } from "./lms-world.ts";
import { createQuirks, type Lms, type Manners, type QuirkChange } from "./lms.ts";
import { moodleManners } from "./moodle-manners.ts";
import { createNotices, mountNotices } from "./notices.ts";
import { otherManners } from "./other-manners.ts";
import { createPlatformKey, createToolKeysets, mountTokenEndpoint } from "./tokens.ts";
import { mountRegistration } from "./registration.ts";
import { createSessions, mountSignInPages } from "./sign-in.ts";

export type StandInLmsOptions = {
  /** 0 takes any free port. */
  port: number;
  /** By default, 127.0.0.1. */
  host?: string;
  clock: Clock;
  logger: Logger;
  /** By default, "moodle". */
  manners?: Manners["name"];
  seed: LmsSeed;
  /** Where browsers and tools reach it, if not host and port; also the issuer. */
  publicUrl?: string;
  /** Changed later with `setQuirks`. */
  quirks?: QuirkChange;
  turned?: Turned;
  /** How long a tool's keyset is not read again, even for an unknown key (ms); 0 by default. */
  keySetKeptMs?: number;
  /** Reads tools' keysets; by default, the global fetch. */
  fetch?: typeof fetch;
};

export type StandInLms = Awaited<ReturnType<typeof startStandInLms>>;

const allManners: Record<Manners["name"], Manners> = {
  moodle: moodleManners,
  canvas: canvasManners,
  other: otherManners,
};

export async function startStandInLms(options: StandInLmsOptions) {
  const host = options.host ?? "127.0.0.1";
  const app = express();
  app.disable("x-powered-by");
  const server = createServer(app);
  const port = await listen(server, options.port, host);
  const url = (options.publicUrl ?? `http://${host}:${port}`).replace(/\/+$/, "");
  const manners = allManners[options.manners ?? "moodle"];
  const turned = options.turned ?? nothingTurned;
  const lms: Lms = {
    url,
    clock: options.clock,
    logger: options.logger,
    world: createLmsWorld(options.seed),
    key: await createPlatformKey(),
    keysets: createToolKeysets({
      fetch: options.fetch ?? fetch,
      logger: options.logger,
      clock: options.clock,
      keptMs: options.keySetKeptMs ?? 0,
    }),
    launches: createLaunches(options.clock, manners.launchLifetimeMs),
    log: createRequestLog(),
    notices: createNotices({ fetch: options.fetch ?? fetch }),
    faults: createFaults(),
    sessions: createSessions(`stand_in_${manners.name}_${port}`, url),
    manners,
    quirks: createQuirks({ ...turnedQuirks(turned), ...options.quirks }),
    turned,
  };
  mountEverything(app, lms);
  return {
    ...createLmsControl(lms),
    /** Address and issuer, no trailing slash. */
    url,
    close: async (): Promise<void> => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function turnedQuirks(turned: Turned): QuirkChange {
  return {
    ...(turned.has("canvasDeletedIsUnpublished") ? { deletedColumnSays: "not-applicable" as const } : {}),
    ...(turned.has("canvasConcludedIs422") ? { concludedStatus: 404 as const } : {}),
    ...(turned.has("canvasOffersUpdates") ? { registrationUpdates: "unknown" as const } : {}),
  };
}

function mountEverything(app: Express, lms: Lms): void {
  app.get("/style.css", (_request, response) => {
    response.type("css").send(style);
  });
  mountRegistration(app, lms);
  mountAuthorizationEndpoint(app, lms);
  mountTokenEndpoint(app, lms);
  lms.manners.mountServices(app, lms);
  mountNotices(app, lms);
  mountSignInPages(app, lms);
  mountCoursePages(app, lms);
  mountGradebookPages(app, lms);
  mountLaunchPages(app, lms);
  mountDeepLinkingPages(app, lms);
  mountNavigationPages(app, lms);
  mountReviewPages(app, lms);
  mountAdminPages(app, lms);
  app.use((_request, response) => {
    sendError(lms, response, 404, "There is no such page.");
  });
  const onError: ErrorRequestHandler = (error: unknown, request, response, _next) => {
    lms.logger.error({ path: request.path, reason: String(error) }, "the stand-in LMS failed");
    if (!response.headersSent) sendError(lms, response, 500, "Something went wrong.");
  };
  app.use(onError);
}
