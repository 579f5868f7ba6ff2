import type { App } from "../../app.ts";
import { rowsByLabel } from "../../kernel/metrics.ts";
import type { Module } from "../../module.ts";
import { catchUp } from "../../tasks/timetable.ts";
import { createWorker } from "../../tasks/create-worker.ts";
import { wokenFor } from "../../tasks/work.ts";
import { deliveryStep } from "./deliver-scores.ts";
import { deliveryLanes } from "./delivery-lanes.ts";
import { regradeCourse, regradeInstitution, runPendingRegrades } from "./regrade.ts";
import { checkDueColumn } from "./check-column.ts";
import { arrivalTimes } from "./show-grades.ts";
import { gradesRoutes } from "./pages/grades-routes.ts";
import { gradingRoutes } from "./pages/grading-routes.ts";
import { updateColumn } from "./update-columns.ts";

/** How often a process checks whether a column is due (ms). */
const columnCheckMs = 60_000;

export function createGrading(app: App): Module {
  const { metrics, deliveries } = app;
  metrics.gauge("deliveries", "Scores by state; refused ones are dead letters", ["state"], async () =>
    rowsByLabel("state", await deliveries.countByState()),
  );
  metrics.gauge(
    "score_arrival_seconds",
    "From mark to gradebook, of scores that arrived within the last day: the median, and the slowest as quantile 1",
    ["quantile"],
    async () => {
      const { medianMs, slowestMs } = await arrivalTimes(app, null);
      if (medianMs === null || slowestMs === null) return [];
      return rowsByLabel("quantile", { "0.5": medianMs / 1_000, "1": slowestMs / 1_000 });
    },
  );
  const attempts = metrics.counter("score_attempts_total", "Attempts to send a score by outcome", [
    "outcome",
  ]);
  // Each process works on one course at a time.
  const regrades = createWorker(app, {
    name: "grading",
    lanes: 1,
    step: async (ending) =>
      (await regradeCourse({ ...app, ending })) ||
      (await runPendingRegrades(app)) ||
      (await regradeInstitution(app)),
  });
  // In a separate worker, so a slow LMS doesn't block computing.
  const columns = createWorker(app, {
    name: "columns",
    lanes: 1,
    step: async () => (await updateColumn(app)) || (await checkDueColumn(app)) || columnCheckMs,
  });
  const scores = createWorker(app, {
    name: "deliveries",
    lanes: deliveryLanes.all,
    step: deliveryStep({
      ...app,
      onOutcome: (outcome) => {
        attempts.inc({ outcome });
      },
    }),
  });
  return {
    routes: { pages: [gradingRoutes(app), gradesRoutes(app)] },
    works: [
      wokenFor(scores, "deliveries"),
      wokenFor(regrades, "regrades", "institution-regrades", "owed-grades"),
      wokenFor(columns, "columns"),
    ],
    jobs: [
      {
        name: "deliver-scores",
        at: "*/10 * * * *",
        sooner: { due: ["deliveries"] },
        run: (ending) =>
          catchUp({ ...app, ending }, { countDue: deliveries.countAllDue, countLeft: deliveries.countLeft }),
      },
    ],
  };
}
