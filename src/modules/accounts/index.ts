import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { createWorker } from "../../tasks/create-worker.ts";

/** How often changes of other processes are read (ms). */
const refreshIntervalMs = 5_000;

/** Classroom accounts: which there are, and which course uses which. */
export function createAccountsModule(app: App): Module {
  const refreshing = createWorker(app, {
    name: "classroom accounts",
    lanes: 1,
    idleMs: refreshIntervalMs,
    step: async () => {
      await app.accounts.refresh();
      return false;
    },
  });
  return { works: [{ worker: refreshing }] };
}
