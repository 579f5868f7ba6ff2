import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { classroomTaskWorker } from "../../tasks/work.ts";
import { recordingWebhooks } from "./handle-webhooks.ts";
import { recordingsRoutes } from "./pages/recordings-routes.ts";
import { recordingReadings } from "./recording-readings.ts";
import { readNextRecordings } from "./read-recordings.ts";

export function createRecordings(app: App): Module {
  const readings = classroomTaskWorker(app, recordingReadings, (ending) =>
    readNextRecordings({ ...app, ending }),
  );
  return { routes: { pages: [recordingsRoutes(app)] }, works: [readings], webhooks: recordingWebhooks(app) };
}
