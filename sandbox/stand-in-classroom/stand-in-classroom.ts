// Imitates nothing: puts the stand-in together.
import { createServer } from "node:http";
import express, { type NextFunction, type Request, type Response } from "express";
import { listen } from "../listen.ts";
import type { Clock } from "../../src/kernel/clock.ts";
import { messageOf } from "../../src/kernel/errors.ts";
import { type Ids, randomIds } from "../../src/kernel/ids.ts";
import type { Logger } from "../../src/kernel/logger.ts";
import { nothingTurned, type Turned } from "../assumptions.ts";
import { createActions } from "./actions.ts";
import { createOperations } from "./api-operations.ts";
import { createApiRouter } from "./api-router.ts";
import { createHostControls } from "./host-controls.ts";
import { createPages } from "./pages.ts";
import { errorBody, Refusal } from "./refusal.ts";
import { sentencePage } from "./space-page.ts";
import { createEndRedirect, createSpaceRouter, type EndRedirectSetting } from "./space-router.ts";
import type { Spelling } from "./spellings.ts";
import {
  createCallLog,
  createFaults,
  createReplyTimes,
  type LimitCounts,
  noStalls,
  type ReplyTimes,
  watchStalls,
} from "./traffic.ts";
import { createAttendanceBook, createVisits } from "./visits.ts";
import { createWebhookSender } from "./webhook-sender.ts";
import { emptyWorld, type StandInEvent } from "./world.ts";

export type StandInClassroomOptions = {
  /** 0 takes any free port. */
  port: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** The address that browsers use, if it differs from http://host:port. */
  publicUrl?: string;
  clock: Clock;
  logger: Logger;
  apiKey: string;
  webhookSecret: string;
  webhookUrl?: string | null;
  /** Default "a". */
  spelling?: Spelling;
  /** Change, cancel and list events by the API, which the document does not show; default no. */
  eventChanges?: boolean;
  /** List cohorts by the API (GET /programs/cohorts), which the document does not show; default no. */
  cohortList?: boolean;
  /** Refuses the fifth call within a second, and analytics above their own limit; default true. */
  rateLimit?: boolean;
  /** Default at arrival. */
  limitCounts?: LimitCounts;
  /** By default, 30 to 600 ms; null for none. */
  replyTimes?: ReplyTimes | null;
  /** Excuses calls that came while this process was stalled; default true. */
  watchStalls?: boolean;
  turned?: Turned;
  /** Settings of an institution in the real service. */
  institution?: { autoAttendance?: boolean; endRedirect?: EndRedirectSetting };
};

export type StandInClassroom = Awaited<ReturnType<typeof startStandInClassroom>>;

export async function startStandInClassroom(given: StandInClassroomOptions) {
  const options = withDefaults(given);
  const { clock, logger, turned } = options;
  const ids = turned.has("idsAreTexts") ? numberedIds() : randomIds;
  const world = emptyWorld();
  const calls = createCallLog();
  const faults = createFaults();
  const pages = createPages(turned, options.spelling);
  const stalls = options.watchStalls ? watchStalls() : noStalls;
  const replyTimes = createReplyTimes(options.replyTimes);
  const webhooks = createWebhookSender({
    url: options.webhookUrl,
    secret: options.webhookSecret,
    turned,
    clock,
    logger,
  });
  const shared = { world, webhooks, turned, clock, ids };
  const attendance = createAttendanceBook(shared);
  const { autoAttendance = true, endRedirect: redirect } = options.institution ?? {};
  const visits = createVisits({ ...shared, attendance, autoAttendance });
  const actions = createActions({ ...shared, attendance, visits });
  const endRedirect = createEndRedirect(shared, redirect);
  let appUrl = "";
  const operations = createOperations({
    ...shared,
    actions,
    appUrl: () => appUrl,
    otherAppUrl: () => otherNameOf(appUrl),
  });

  const app = express();
  app.disable("x-powered-by");
  // The base address of public programs ends in a version.
  const apiPath = options.spelling === "clients" ? "/api/v1" : "/api";
  app.use(
    apiPath,
    createApiRouter({
      operations,
      spelling: options.spelling,
      eventChanges: options.eventChanges,
      cohortList: options.cohortList,
      apiKey: options.apiKey,
      rateLimit: options.rateLimit,
      limitCounts: options.limitCounts,
      turned,
      replyTakes: replyTimes.next,
      stalledFor: stalls.now,
      calls,
      faults,
      pages,
      clock,
    }),
  );
  app.use(createHostControls({ ...shared, actions, calls, faults, endRedirect }));
  app.use(createSpaceRouter({ ...shared, visits, endRedirect, hostUrl: () => `${appUrl}/host` }));
  app.get("/", (_request: Request, response: Response) => response.redirect("/host"));
  app.use(() => {
    throw new Refusal(404, "NOT_FOUND", "No such page.");
  });
  app.use((thrown: unknown, request: Request, response: Response, _next: NextFunction) => {
    const refusal = asRefusal(thrown);
    if (refusal.status === 500) logger.error({ reason: messageOf(thrown) }, "stand-in classroom failed");
    response.status(refusal.status);
    if (request.accepts(["json", "html"]) === "html")
      response.send(sentencePage("Not possible", refusal.message));
    else response.json(errorBody(refusal.code, refusal.message));
  });

  const server = createServer(app);
  const { host } = options;
  const port = await listen(server, options.port, host);
  appUrl = (options.publicUrl ?? `http://${host}:${port}`).replace(/\/+$/, "");

  return {
    ...actions,
    apiUrl: `${appUrl}${apiPath}`,
    appUrl,
    hostUrl: `${appUrl}/host`,
    close: async (): Promise<void> => {
      stalls.close();
      await webhooks.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
    setWebhookUrl: (url: string | null) => webhooks.configure({ url }),
    setEndRedirect: endRedirect.set,
    setWebhookSwitches: webhooks.setSwitches,
    /** Resolves when no webhook or retry is in progress. */
    webhooksSettled: webhooks.settled,
    /** For later calls; null for none. */
    setReplyTimes: replyTimes.set,
    addFault: faults.add,
    clearFaults: faults.clear,
    /** Null for whole lists. */
    setPages: pages.set,
    spaces: () => [...world.spaces.values()],
    users: () => [...world.users.values()],
    events: (): StandInEvent[] => [...world.events.values()].filter(({ status }) => status !== "DELETED"),
    attendance: () => [...world.attendance.values()],
    recordings: () => [...world.recordings.values()],
    /** Oldest first. */
    authorizations: () => [...world.logins.values()],
    webhooksSent: webhooks.sent,
    calls: calls.all,
    callCounts: calls.counts,
  };
}

function withDefaults(options: StandInClassroomOptions) {
  const turned = options.turned ?? nothingTurned;
  return {
    host: "127.0.0.1",
    webhookUrl: null,
    spelling: "a" as const,
    eventChanges: false,
    cohortList: false,
    rateLimit: true,
    watchStalls: true,
    limitCounts: turned.has("limitCountsArrivals") ? ("replies" as const) : ("arrivals" as const),
    ...(turned.has("repliesTakeTime") ? { replyTimes: null } : {}),
    ...options,
    turned,
  };
}

/** Numbers, except for events (texts by part 6.5) and tabs. */
function numberedIds(): Ids {
  let last = 10_000;
  return {
    ...randomIds,
    id: (prefix) => {
      if (prefix === "event" || prefix === "series" || prefix === "tab") return randomIds.id(prefix);
      last += 1;
      return String(last);
    },
  };
}

/** The same server by its other name. */
function otherNameOf(url: string): string {
  const other = new URL(url);
  other.hostname = other.hostname === "localhost" ? "127.0.0.1" : "localhost";
  return other.href.replace(/\/+$/, "");
}

function asRefusal(thrown: unknown): Refusal {
  if (thrown instanceof Refusal) return thrown;
  const isBadBody = thrown instanceof SyntaxError;
  return isBadBody
    ? new Refusal(400, "BAD_JSON", "The body is not JSON.")
    : new Refusal(500, "INTERNAL", "The stand-in has a defect; see its log.");
}
