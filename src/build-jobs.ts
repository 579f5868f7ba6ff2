import { hostname } from "node:os";
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
      receipts: Pick<ReceiptStore, "countByState">;
      deliveries: Pick<DeliveryStore, "countByState">;
      provisioning: Pick<ProvisioningStore, "count">;
      workers: Waking;
    },
): Jobs {
  const { workers } = deps;
  let running: Promise<RunningTimetable> | null = null;
  const entries = timetable({
    ...deps,
    processReceipts: async () => {
      const { waiting } = await deps.receipts.countByState();
      workers.receipts.wake();
      return waiting;
    },
    deliverScores: async () => {
      const { waiting } = await deps.deliveries.countByState();
      workers.deliveries.wake();
      return waiting;
    },
    watchUnsent: () => watchUnsent(deps),
    preparePeople: async () => {
      const counts = Object.entries(await deps.provisioning.count());
      workers.people.wake();
      return counts.find(([state]) => state === "waiting")?.[1] ?? 0;
    },
    purge: () => purge(deps),
  });
  return {
    start: async () => {
      running ??= startTimetable({ ...deps, process: `${hostname()} ${process.pid}` }, entries);
      await running;
    },
    runNow: async (name) => (await running)?.runNow(name) ?? false,
    stop: async () => {
      await (await running)?.stop();
    },
  };
}
