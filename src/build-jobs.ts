import { hostname } from "node:os";
import { catchUp } from "./features/operations/catch-up.ts";
import { purge, type PurgeDeps } from "./features/operations/purge.ts";
import type { RunJobDeps } from "./features/operations/run-job.ts";
import { watchUnsent, type WatchUnsentDeps } from "./features/operations/watch-unsent.ts";
import { type RunningTimetable, startTimetable } from "./jobs/start-timetable.ts";
import { timetable, type TimetableDeps } from "./jobs/timetable.ts";
import type { DeliveryStore } from "./storage/delivery-store.ts";
import type { ProvisioningStore } from "./storage/provisioning-store.ts";
import type { ReceiptStore } from "./storage/receipt-store.ts";

/** What happens by the clock; `runNow` is for the console. */
export type Jobs = {
  start: () => Promise<void>;
  /** @returns false when there is no such job. */
  runNow: (name: string) => Promise<boolean>;
  stop: () => Promise<void>;
};

type Waking = Record<"receipts" | "deliveries" | "people", { wake: () => void }>;

/** Puts together the timetable. */
export function buildJobs(
  deps: Omit<RunJobDeps, "process"> &
    PurgeDeps &
    WatchUnsentDeps &
    Pick<TimetableDeps, "planReadings" | "authorizeAhead" | "readRosters" | "sweepKeys"> & {
      receipts: Pick<ReceiptStore, "countDue" | "countLeft">;
      deliveries: Pick<DeliveryStore, "countAllDue" | "countLeft">;
      provisioning: Pick<ProvisioningStore, "count" | "countDue">;
      workers: Waking;
    },
): Jobs {
  const { workers, receipts, deliveries, provisioning } = deps;
  const ending = new AbortController();
  const seeing = { clock: deps.clock, ending: ending.signal };
  let running: Promise<RunningTimetable> | null = null;
  const entries = timetable({
    ...deps,
    processReceipts: () => catchUp(seeing, { ...receipts, ...workers.receipts }),
    deliverScores: () =>
      catchUp(seeing, {
        countDue: deliveries.countAllDue,
        countLeft: deliveries.countLeft,
        ...workers.deliveries,
      }),
    watchUnsent: () => watchUnsent(deps),
    preparePeople: () =>
      catchUp(seeing, {
        countDue: provisioning.countDue,
        countLeft: async () => (await provisioning.count()).waiting,
        ...workers.people,
      }),
    purge: () => purge(deps),
  });
  return {
    start: async () => {
      running ??= startTimetable({ ...deps, process: `${hostname()} ${process.pid}` }, entries);
      await running;
    },
    runNow: async (name) => (await running)?.runNow(name) ?? false,
    stop: async () => {
      ending.abort();
      await (await running)?.stop();
    },
  };
}
