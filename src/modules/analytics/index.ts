import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { classroomTaskWorker } from "../../tasks/work.ts";
import { sessionAnalytics } from "../recordings/recording-readings.ts";
import { analyticsRoutes } from "./pages/analytics-routes.ts";
import { readNextAnalytics } from "./read-analytics.ts";

export function createAnalytics(app: App): Module {
  const readings = classroomTaskWorker(app, sessionAnalytics, (ending) =>
    readNextAnalytics({ ...app, ending }),
  );
  return { routes: { pages: [analyticsRoutes(app)] }, works: [readings] };
}
