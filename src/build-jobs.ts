import { hostname } from "node:os";
import { type Backlog, catchUp } from "./modules/operations/catch-up.ts";
import { purge, type PurgeDeps } from "./modules/operations/purge.ts";
import { recountRestored, type RecountRestoredDeps } from "./modules/operations/recount-restored.ts";
import type { RunJobDeps } from "./tasks/run-job.ts";
import { watchUnsent, type WatchUnsentDeps } from "./modules/operations/watch-unsent.ts";
import { type RunningTimetable, startTimetable } from "./tasks/start-timetable.ts";
import { timetable, type TimetableDeps } from "./tasks/timetable.ts";
import type { AttendanceReadingStore } from "./modules/attendance/store/attendance-reading-store.ts";
import type { DeliveryStore } from "./modules/grading/store/delivery-store.ts";
import type { ProvisioningStore } from "./modules/members/store/provisioning-store.ts";
import type { ReceiptStore } from "./inbox/store/receipt-store.ts";
import type { RosterSyncStore } from "./modules/members/store/roster-sync-store.ts";
import type { TallyStore } from "./storage/tally-store.ts";

/** What happens by the clock; `runNow` is for the console. */
export type Jobs = {
  start: () => Promise<void>;
  /** @returns false when there is no such job. */
  runNow: (name: string) => Promise<boolean>;
  stop: () => Promise<void>;
};

type Waking = Record<"receipts" | "deliveries" | "people" | "readings" | "rosters", { wake: () => void }>;

/** Puts together the timetable. */
export function buildJobs(
  deps: Omit<RunJobDeps, "process"> &
    PurgeDeps &
    WatchUnsentDeps &
    RecountRestoredDeps &
    Pick<TimetableDeps, "sweepKeys"> & {
      /** Has erased what was kept long enough. */
      retire: () => Promise<number>;
      /** Leaves no byte of what was erased in the database's files. */
      clean: () => Promise<unknown>;
      /** What finds new work before a job sees to what is due. */
      plans: {
        readings: () => Promise<unknown>;
        ahead: { look: () => void; backlog: Backlog };
        rosters: () => Promise<void>;
      };
      attendanceReadings: Pick<AttendanceReadingStore, "countDue" | "countSince">;
      rosterSyncs: Pick<RosterSyncStore, "countDue" | "countLeft" | "countSince">;
      receipts: Pick<ReceiptStore, "countDue" | "countLeft">;
      tallies: Pick<TallyStore, "recount">;
      deliveries: Pick<DeliveryStore, "countAllDue" | "countLeft">;
      provisioning: Pick<ProvisioningStore, "count" | "countDue">;
      workers: Waking;
    },
): Jobs {
  const { workers, plans, receipts, deliveries, provisioning, attendanceReadings, rosterSyncs } = deps;
  const ending = new AbortController();
  const seeing = { clock: deps.clock, ending: ending.signal };
  let running: Promise<RunningTimetable> | null = null;
  const entries = timetable({
    ...deps,
    readAttendance: async () => {
      await plans.readings();
      const { countDue, countSince } = attendanceReadings;
      return catchUp(seeing, { countDue, countLeft: countDue, countSince, ...workers.readings });
    },
    authorizeAhead: () => {
      plans.ahead.look();
      return catchUp(seeing, plans.ahead.backlog);
    },
    readRosters: async () => {
      await plans.rosters();
      return catchUp(seeing, { ...rosterSyncs, ...workers.rosters });
    },
    rostersSince: async (since) => ({
      ...(await rosterSyncs.countSince(since)),
      waiting: await rosterSyncs.countLeft(),
    }),
    processReceipts: () => catchUp(seeing, { ...receipts, ...workers.receipts }),
    deliverScores: () =>
      catchUp(seeing, {
        countDue: deliveries.countAllDue,
        countLeft: deliveries.countLeft,
        ...workers.deliveries,
      }),
    watchUnsent: async () => {
      await watchUnsent(deps);
      await recountRestored(deps);
    },
    preparePeople: () =>
      catchUp(seeing, {
        countDue: provisioning.countDue,
        countLeft: async () => (await provisioning.count()).waiting,
        ...workers.people,
      }),
    purge: async () => {
      const deleted = (await deps.retire()) + (await purge(deps));
      await deps.tallies.recount();
      await deps.clean();
      return deleted;
    },
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
