import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { presenceWebhooks } from "./record-signals.ts";
import { hereRoutes } from "./pages/presence-view.ts";

export function createPresence(app: App): Module {
  return { routes: { pages: [hereRoutes(app)] }, webhooks: [presenceWebhooks(app)] };
}
