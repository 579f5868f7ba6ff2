import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { cohortWebhooks } from "./cohorts.ts";
import { cohortsRoutes } from "./pages/cohorts-routes.ts";

export function createCohorts(app: App): Module {
  return { routes: { pages: [cohortsRoutes(app)] }, webhooks: [cohortWebhooks(app)] };
}
