import type { App } from "../../app.ts";
import { rowsByLabel } from "../../kernel/metrics.ts";
import type { Module } from "../../module.ts";
import { catchUp } from "../../tasks/timetable.ts";
import { taskWorker, wokenFor } from "../../tasks/work.ts";
import { peopleRoutes } from "./pages/people-routes.ts";
import { provisioningWorker } from "./provisioning.ts";
import { readRoster, rosterJob } from "./roster-readings.ts";
import { readNextRoster } from "./sync-roster.ts";

export function createMembers(app: App): Module {
  const { metrics, provisioning } = app;
  metrics.gauge(
    "people_to_prepare",
    "People whose API user is to be made or renamed, by state",
    ["state"],
    async () => rowsByLabel("state", await provisioning.count()),
  );
  const attempts = metrics.counter(
    "provisioning_total",
    "Attempts to make or rename an API user ahead by outcome",
    ["outcome"],
  );
  // Few at a time, so entries don't wait. A slow LMS leaves one lane to others.
  const rosters = taskWorker(app, readRoster, {
    lanes: 3,
    step: (ending) => readNextRoster({ ...app, ending }),
  });
  const people = provisioningWorker({
    ...app,
    onOutcome: (outcome) => {
      attempts.inc({ outcome });
    },
  });
  return {
    routes: { pages: [peopleRoutes(app)] },
    works: [rosters, wokenFor(people, "people")],
    jobs: [
      {
        name: "prepare-people",
        at: "*/5 * * * *",
        run: (ending) =>
          catchUp(
            { ...app, ending },
            { countDue: provisioning.countDue, countLeft: async () => (await provisioning.count()).waiting },
          ),
      },
      rosterJob(app),
    ],
  };
}
