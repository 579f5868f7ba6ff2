import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { apiRoutes } from "./pages/api-routes.ts";

export function createApi(app: App): Module {
  return { routes: { api: [apiRoutes(app)] } };
}
