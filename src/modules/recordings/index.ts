import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { createWorker, untilWoken } from "../../tasks/create-worker.ts";
import { wokenFor } from "../../tasks/work.ts";
import { recordingWebhooks } from "./handle-webhooks.ts";
import { recordingsRoutes } from "./pages/recordings-routes.ts";
import { readNextRecordings } from "./read-recordings.ts";

/** Recordings of sessions: told by webhooks, read from the classroom's lists, shown to the course. */
export function createRecordings(app: App): Module {
  // One at a time, in the background of everything else.
  const readings = createWorker(app, {
    name: "recordings",
    lanes: 1,
    idleMs: untilWoken,
    step: (ending) => readNextRecordings({ ...app, ending }),
  });
  return {
    routes: { pages: [recordingsRoutes(app)] },
    works: [wokenFor(readings, "recordings")],
    webhooks: recordingWebhooks(app),
  };
}
