import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { answersRoutes, endedRoutes } from "./pages/ended-routes.ts";

export function createFeedback(app: App): Module {
  return { routes: { pages: [endedRoutes(app), answersRoutes(app)] } };
}
