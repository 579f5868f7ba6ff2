import { Router } from "express";
import { listStrayAlerts, type ListAllAlertsDeps } from "../../features/console/list-all-alerts.ts";
import { alertText } from "../course/alerts-view.ts";
import type { Gate } from "./gate.ts";

/** Alerts of the classroom that no course is told about. */
export function strayAlertsPages(deps: ListAllAlertsDeps, gate: Gate): Router {
  const router = Router();
  router.get(
    "/alerts",
    gate.page(async ({ request, show, t }) => {
      const { before } = request.query;
      const from = typeof before === "string" && before !== "" ? before : null;
      const { alerts, next } = await listStrayAlerts(deps, from);
      show({
        view: "alerts",
        title: t("console.alerts.heading"),
        area: "alerts",
        values: {
          alerts: alerts.map(({ alert, event }) => ({
            ...alert,
            event,
            text: alertText(t, alert.alertType),
          })),
          next,
          first: from === null,
        },
      });
    }),
  );
  return router;
}
