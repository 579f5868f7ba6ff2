import type { Connection } from "mongoose";
import { released } from "./lease.ts";
import { maxClaimMs } from "./limits.ts";

export type DueTimes = ReturnType<typeof createDueTimes>;

/** Work done as soon as it is due, harmless an hour early; not what is planned by the time of a class. */
const queues: readonly (readonly [model: string, field: "dueAt" | "nextTryAt"])[] = [
  ["Receipt", "nextTryAt"],
  ["Delivery", "nextTryAt"],
  ["DueHead", "dueAt"],
  ["Job", "dueAt"],
  ["Regrade", "dueAt"],
  ["OwedGrading", "dueAt"],
  ["AttendanceMark", "dueAt"],
  ["Provisioning", "dueAt"],
  ["NoticeSubscription", "nextTryAt"],
];

/** For a clock that was ahead: what was due "now" would wait until that time comes once more. */
export function createDueTimes(connection: Connection) {
  return {
    /** Makes due what is due within `leadMs`, and ends overlong claims. @returns how many records. */
    pullBack: async (now: number, leadMs: number): Promise<number> => {
      let changed = 0;
      for (const [name, model] of Object.entries(connection.models)) {
        const rows = connection.collection(model.collection.collectionName);
        const field = queues.find(([queue]) => queue === name)?.[1];
        if (field !== undefined) {
          const wrong = { [field]: { $gt: now, $lte: now + leadMs } };
          changed += (await rows.updateMany(wrong, { $set: { [field]: now } })).modifiedCount;
        }
        if (!("leaseUntil" in model.schema.paths)) continue;
        const held = { leaseUntil: { $gt: now + maxClaimMs, $lte: now + leadMs + maxClaimMs } };
        changed += (await rows.updateMany(held, { $set: { ...released } })).modifiedCount;
      }
      return changed;
    },
    /** How far a clock was ahead (ms) by the latest run of a job; 0 for none. */
    clockLeadMs: async (now: number): Promise<number> => {
      const jobs = connection.collection(connection.model("Job").collection.collectionName);
      const latest = (await jobs.find({}).toArray()).flatMap(({ runs }) => startsOf(runs));
      return Math.max(0, ...latest.map((at) => at - now));
    },
  };
}

function startsOf(runs: unknown): number[] {
  if (!Array.isArray(runs)) return [];
  return runs.flatMap((run: unknown) =>
    typeof run === "object" && run !== null && "startedAt" in run && typeof run.startedAt === "number"
      ? [run.startedAt]
      : [],
  );
}
