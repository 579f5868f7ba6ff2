import { createHash, timingSafeEqual } from "node:crypto";
import { type Request, Router } from "express";
import type { Registry } from "prom-client";
import type { OperatorReport } from "../report-health.ts";

export type HealthRoutesDeps = {
  report: () => Promise<OperatorReport>;
  metrics: Registry;
  /** The process takes no new work: it ends as soon as what is in hand is finished. */
  stopping: () => boolean;
  /** What whoever reads /metrics must send as a bearer token; undefined: anybody may. */
  metricsToken: string | undefined;
};

/**
 * GET /healthz: this process answers and is not about to end; what a balancer and a container's health check ask.
 * GET /readyz: whether this process can read and write its store, with the reason why not (503), and warnings beside (200
 * with those alone): late scores and what else an operator must see to take no process out of service.
 * GET /metrics: Prometheus.
 */
export function healthRoutes(deps: HealthRoutesDeps): Router {
  const router = Router();
  router.get("/healthz", (_request, response) => {
    const alive = !deps.stopping();
    response.status(alive ? 200 : 503).json({ alive });
  });
  router.get("/readyz", async (_request, response) => {
    const { problems, warnings } = await deps.report();
    const stopping = { what: "process", message: "The process is stopping." };
    const all = deps.stopping() ? [...problems, stopping] : problems;
    response.status(all.length === 0 ? 200 : 503).json({ ready: all.length === 0, problems: all, warnings });
  });
  router.get("/metrics", async (request, response) => {
    if (deps.metricsToken !== undefined && !carries(request, deps.metricsToken)) {
      response.status(401).set("WWW-Authenticate", 'Bearer realm="metrics"');
      response.json({
        error: "metrics-token",
        message: "Send METRICS_TOKEN as a bearer token (in Prometheus: authorization, credentials).",
      });
      return;
    }
    response.type(deps.metrics.contentType).send(await deps.metrics.metrics());
  });
  return router;
}

/** Over digests of equal length, so that the time taken tells neither length nor beginning of the token. */
function carries(request: Request, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(request.get("authorization") ?? "")?.[1] ?? "";
  const [one, other] = [given, token].map((text) => createHash("sha256").update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
