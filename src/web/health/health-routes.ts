import { Router } from "express";
import type { Registry } from "prom-client";
import { checkReadiness, type CheckReadinessDeps } from "../../features/operations/check-readiness.ts";

/** GET /healthz (alive), /readyz (can work; names what is wrong) and /metrics (Prometheus). */
export function healthRoutes(
  deps: CheckReadinessDeps & { metrics: Registry; stopping: () => boolean },
): Router {
  const router = Router();
  router.get("/healthz", (_request, response) => {
    response.json({ alive: true });
  });
  router.get("/readyz", async (_request, response) => {
    const readiness = await checkReadiness(deps);
    // A load balancer should stop sending people while the last requests are finished.
    if (deps.stopping()) readiness.problems.push({ what: "process", message: "The process is stopping." });
    const ready = readiness.problems.length === 0;
    response.status(ready ? 200 : 503).json({ ready, problems: readiness.problems });
  });
  router.get("/metrics", async (_request, response) => {
    response.type(deps.metrics.contentType).send(await deps.metrics.metrics());
  });
  return router;
}
