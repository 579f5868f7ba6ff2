import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { createWorker, wakeTimeoutMs } from "../../tasks/create-worker.ts";
import { wokenFor } from "../../tasks/work.ts";
import { runErasure } from "./run-erasure.ts";

export function createPrivacy(app: App): Module {
  const erasures = createWorker(app, {
    name: "erasures",
    lanes: 1,
    idleMs: wakeTimeoutMs,
    step: () => runErasure(app),
  });
  return { works: [wokenFor(erasures, "erasures")] };
}
