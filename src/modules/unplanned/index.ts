import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { taskWorker } from "../../tasks/work.ts";
import { spaceVisits } from "../presence/record-signals.ts";
import { checkNextSpace } from "./look-for-classes.ts";
import { unplannedRoutes } from "./pages/unplanned-routes.ts";
import { settleNext } from "./settle-class.ts";
import { unplannedSessions } from "./answer-class.ts";

export function createUnplanned(app: App): Module {
  return {
    routes: { pages: [unplannedRoutes(app)] },
    works: [
      taskWorker(app, spaceVisits, { lanes: 1, step: (ending) => checkNextSpace({ ...app, ending }) }),
      taskWorker(app, unplannedSessions, { lanes: 1, step: (ending) => settleNext({ ...app, ending }) }),
    ],
  };
}
