import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { alertWebhooks } from "./alerts.ts";
import { alertsRoutes } from "./pages/alerts-routes.ts";

export function createAlerts(app: App): Module {
  return { routes: { pages: [alertsRoutes(app)] }, webhooks: [alertWebhooks(app)] };
}
