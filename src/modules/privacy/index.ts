import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { createWorker } from "../../tasks/create-worker.ts";
import { wokenFor } from "../../tasks/work.ts";
import { runErasure } from "./run-erasure.ts";

export function createPrivacy(app: App): Module {
  const erasures = createWorker(app, { name: "erasures", lanes: 1, step: () => runErasure(app) });
  return { works: [wokenFor(erasures, "erasures")] };
}
