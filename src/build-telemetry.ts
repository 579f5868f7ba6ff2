import type { RequestHandler } from "express";
import type { ClassroomCallSeen } from "./classroom/classroom-call.ts";
import type { Config } from "./config.ts";
import { createMetrics, type Metrics } from "./create-metrics.ts";
import type { EnvironmentName } from "./domain/registration.ts";
import { createClockWitnesses } from "./modules/operations/clock-witnesses.ts";
import { type OperatorReport, reportHealth } from "./modules/operations/report-health.ts";
import type { Background } from "./kernel/background.ts";
import type { Clock } from "./kernel/clock.ts";
import type { Logger } from "./kernel/logger.ts";
import { watchedFetch } from "./kernel/watched-fetch.ts";
import { kindOfCall } from "./lms/kind-of-call.ts";
import type { Database } from "./storage/open-database.ts";
import type { Stores } from "./open-stores.ts";
import { serverTime } from "./storage/server-time.ts";
import { healthRoutes } from "./modules/operations/pages/health-routes.ts";
import type { AnsweredRequest } from "./web/request-log.ts";

/** What sees how the tool is doing. */
export type Telemetry = {
  metrics: Metrics;
  /** What /readyz tells. */
  report: () => Promise<OperatorReport>;
  /** /healthz, /readyz and /metrics. */
  health: (stopping: () => boolean) => RequestHandler;
  onClassroomCall: (call: ClassroomCallSeen) => void;
  /** The LMSs' `fetch`, watched. */
  watchLms: (fetchFrom: typeof fetch) => typeof fetch;
  onWebhook: (environment: EnvironmentName, answer: string) => void;
  onAnswered: (request: AnsweredRequest) => void;
  onLimited: (door: string) => void;
};

/** Dates in headers are whole seconds, cut off. */
const grain = 1_000;

/** Puts together metrics, readiness and what they hear from. */
export function buildTelemetry(deps: {
  config: Config;
  database: Pick<Database, "connection" | "engine" | "ping">;
  stores: Stores;
  background: Background;
  clock: Clock;
  logger: Logger;
}): Telemetry {
  const { config, database, stores, clock } = deps;
  const witnesses = createClockWitnesses({ clock });
  const unsentAlarmAfter = config.alarmUnsentMinutes * 60_000;
  const report = reportHealth({
    ...stores,
    ...deps,
    witnesses,
    ping: database.ping,
    unsentAlarmAfter,
    silenceAlarmAfter: config.alarmNoWebhookHours * 3_600_000,
    environments: Object.values(config.environments).map(({ name }) => name),
    hearDatabase: async () => {
      if (database.engine === "mongodb") await hear(database.connection);
    },
  });
  const hear = async (connection: Database["connection"]): Promise<void> => {
    const askedAt = clock.now();
    const theirs = await serverTime(connection);
    if (theirs === null) return;
    const who = "the database";
    witnesses.hear(who, { who, askedAt, answeredAt: clock.now(), theirs, grain: 1 });
  };
  const metrics = createMetrics({ ...stores, witnesses, report, unsentAlarmAfter, clock });

  const hearDate = (who: string, url: string, date: NonNullable<ClassroomCallSeen["date"]>) => {
    witnesses.hear(URL.parse(url)?.host ?? who, { who, ...date, grain });
  };
  return {
    metrics,
    report,
    health: (stopping) =>
      healthRoutes({ report, metrics: metrics.registry, metricsToken: config.metricsToken, stopping }),
    onClassroomCall: ({ environment, baseUrl, operation, priority, status, waitedMs, tookMs, date }) => {
      if (date !== null) hearDate("the classroom", baseUrl, date);
      metrics.classroomCalls.inc({ environment, operation, status: String(status ?? "none") });
      metrics.classroomSeconds.observe({ operation }, tookMs / 1000);
      metrics.throttleSeconds.observe({ environment, priority }, waitedMs / 1000);
    },
    watchLms: (fetchFrom) =>
      watchedFetch(
        { fetch: fetchFrom, clock },
        ({ url, headers, status, date: theirs, askedAt, answeredAt }) => {
          if (theirs !== null) hearDate("an LMS", url, { theirs, askedAt, answeredAt });
          const kind = kindOfCall(headers);
          metrics.lmsCalls.inc({ kind, status: String(status ?? "none") });
          metrics.lmsSeconds.observe({ kind }, (answeredAt - askedAt) / 1000);
        },
      ),
    onWebhook: (environment, answer) => {
      metrics.webhooks.inc({ environment, answer });
    },
    onAnswered: ({ method, route, status, ms }) => {
      metrics.requests.inc({ method: known(method), route, status: String(status) });
      metrics.requestSeconds.observe({ route }, ms / 1000);
    },
    onLimited: (door) => {
      metrics.rateLimited.inc({ door });
    },
  };
}

/** Whoever sends a request may invent methods. */
function known(method: string): string {
  return ["GET", "POST", "HEAD", "OPTIONS"].includes(method) ? method : "other";
}
