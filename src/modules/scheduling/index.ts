import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { calendarRoutes, mySessionsRoutes } from "./pages/my-sessions-routes.ts";
import { sessionsRoutes } from "./pages/sessions-routes.ts";
import { createWorker } from "../../tasks/create-worker.ts";
import { wokenFor } from "../../tasks/work.ts";
import { runPlan } from "./run-plan.ts";
import { scheduleWebhooks } from "./keep-event.ts";

export function createScheduling(app: App): Module {
  // Works on two plans at a time.
  const plans = createWorker(app, {
    name: "sessions",
    lanes: 2,
    step: (ending) => runPlan({ ...app, ending }),
  });
  return {
    routes: { calendar: [calendarRoutes(app)], pages: [sessionsRoutes(app), mySessionsRoutes(app)] },
    works: [wokenFor(plans, "session-plans")],
    webhooks: [scheduleWebhooks(app)],
  };
}
