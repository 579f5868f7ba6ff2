import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { createWorker } from "../../tasks/create-worker.ts";
import { wokenFor } from "../../tasks/work.ts";
import { applyNextMatch } from "./apply-matches.ts";
import { unmatchedRoutes } from "./pages/unmatched-routes.ts";

export function createMatching(app: App): Module {
  const matches = createWorker(app, { name: "matches", lanes: 1, step: () => applyNextMatch(app) });
  return {
    routes: { pages: [unmatchedRoutes(app)] },
    works: [wokenFor(matches, "matches", "claimed-sessions")],
  };
}
