import { keepNextPresence, sessionPresence } from "./session-minutes.ts";
import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { catchUp } from "../../tasks/timetable.ts";
import { createWorker } from "../../tasks/create-worker.ts";
import { classroomTaskWorker, taskWorker, wokenFor } from "../../tasks/work.ts";
import { listToPlan, planReadings, readAttendance, readingStep } from "./attendance-readings.ts";
import { runNextMark } from "./run-mark.ts";
import { attendanceWebhooks } from "./handle-webhooks.ts";
import { registerRoutes } from "./pages/register-routes.ts";

export function createAttendance(app: App): Module {
  const { metrics, clock, attendanceReadings } = app;
  metrics.gauge(
    "attendance_readings_due",
    "Sessions whose attendance is due to be read from the classroom",
    [],
    async () => [[{}, (await attendanceReadings.due(clock.now())).number]],
  );
  // Makes marks whose page no longer waits for them.
  const marks = createWorker(app, { name: "attendance marks", lanes: 2, step: () => runNextMark(app) });
  const readings = classroomTaskWorker(app, readAttendance, readingStep(app));
  const presence = taskWorker(app, sessionPresence, {
    lanes: 1,
    step: (ending) => keepNextPresence({ ...app, ending }),
  });
  return {
    routes: { pages: [registerRoutes(app)] },
    works: [wokenFor(marks, "marks"), readings, presence],
    webhooks: [attendanceWebhooks(app)],
    jobs: [
      {
        name: "read-attendance",
        at: "*/10 * * * *",
        sooner: { due: [readAttendance], isNeeded: async () => (await listToPlan(app, 1)).length > 0 },
        run: async (ending) => {
          await planReadings(app);
          const { countDue, countSince } = attendanceReadings;
          return catchUp({ ...app, ending }, { countDue, countLeft: countDue, countSince });
        },
      },
    ],
  };
}
