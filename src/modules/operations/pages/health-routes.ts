import { Router } from "express";
import type { Registry } from "prom-client";
import { isSameSecret } from "../../../kernel/sealer.ts";
import type { OperatorReport, Trouble } from "../health.ts";

type HealthRoutesApp = {
  report: () => Promise<OperatorReport>;
  metrics: Registry;
  /** Whether the process takes no new work and ends soon. */
  stopping: () => boolean;
  /** The bearer token of /metrics. Undefined: anybody may read. */
  metricsToken: string | undefined;
};

/**
 * GET /healthz, for load balancers and container health checks: whether this process answers and isn't about to end. GET /readyz: whether it
 * can read and write its store (503 if not), with warnings (200), because late scores take no process out of service. GET /metrics:
 * Prometheus.
 */
export function healthRoutes(app: HealthRoutesApp): Router {
  const router = Router();
  router.get("/healthz", (_request, response) => {
    const alive = !app.stopping();
    response.status(alive ? 200 : 503).json({ alive });
  });
  router.get("/readyz", async (_request, response) => {
    const { problems, warnings } = await app.report();
    const stopping = {
      what: "process",
      message: "The process is stopping. It takes no new requests; start it again when it has ended.",
    };
    const inEnglish = ({ what, message, account }: Trouble) => ({ what, message, account });
    const all = [...problems.map(inEnglish), ...(app.stopping() ? [stopping] : [])];
    const ready = all.length === 0;
    response.status(ready ? 200 : 503).json({ ready, problems: all, warnings: warnings.map(inEnglish) });
  });
  router.get("/metrics", async (request, response) => {
    const given = /^Bearer +(\S+) *$/i.exec(request.get("authorization") ?? "")?.[1] ?? "";
    if (app.metricsToken !== undefined && !isSameSecret(given, app.metricsToken)) {
      response.status(401).set("WWW-Authenticate", 'Bearer realm="metrics"');
      response.json({
        error: "metrics-token",
        message: "Send METRICS_TOKEN as a bearer token (in Prometheus: authorization, credentials).",
      });
      return;
    }
    response.type(app.metrics.contentType).send(await app.metrics.metrics());
  });
  return router;
}
