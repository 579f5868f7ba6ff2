import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { createWorker } from "../../tasks/create-worker.ts";
import { wokenFor } from "../../tasks/work.ts";
import { deepLinkingRoutes } from "./pages/deep-linking-routes.ts";
import { settingsSpaceRoutes } from "./pages/settings-space.ts";
import { applyLeftSpaceChange } from "./link-space.ts";

export function createLinks(app: App): Module {
  // Finishes changes whose process ended before the classroom knew about them.
  const spaceChanges = createWorker(app, {
    name: "space changes",
    lanes: 1,
    step: () => applyLeftSpaceChange(app),
  });
  return {
    routes: { pages: [settingsSpaceRoutes(app), deepLinkingRoutes(app)] },
    works: [wokenFor(spaceChanges, "space-changes")],
  };
}
