import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { guideRoutes } from "./pages/guide-routes.ts";

export function createGuides(app: App): Module {
  return { routes: { pages: [guideRoutes(app)] } };
}
