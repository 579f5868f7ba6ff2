import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { createWorker } from "../../tasks/create-worker.ts";
import { askPausedLmss } from "./lms-trouble.ts";
import { registrationRoutes } from "./pages/registration-routes.ts";
import { renewKeys } from "./registrations.ts";

export function createRegistration(app: App): Module {
  const pausedLmss = createWorker(app, { name: "paused-lmss", lanes: 1, step: () => askPausedLmss(app) });
  return {
    routes: { lti: [registrationRoutes(app)] },
    works: [{ worker: pausedLmss }],
    jobs: [{ name: "renew-keys", at: "23 2 * * *", run: () => renewKeys(app) }],
  };
}
