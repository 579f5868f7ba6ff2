import type { Connection } from "mongoose";
import { released } from "./lease.ts";
import { maxClaimMs } from "./limits.ts";
import { collectionsByModel } from "./stored-collection.ts";

/** Fields of work done as soon as it is due, harmless an hour early. */
const dueFields = ["dueAt", "nextTryAt", "tellAt", "spaceChangeAt"] as const;
/** Planned by the time of a class. */
const keepsItsTime = "ExpectedClass";
/** Heads come after what they stand for: a search between would put them off to the wrong time again. */
const heads = "DueHead";

/** For a time that was ahead: what was due "now" would wait until that time comes once more. */
export function createDueTimes(connection: Connection) {
  const rows = collectionsByModel(connection);
  return {
    /** Makes due what is due within `leadMs`, and ends overlong claims where `endsClaims`. @returns how many records. */
    pullBack: async (now: number, leadMs: number, endsClaims: boolean): Promise<number> => {
      let changed = 0;
      const models = Object.entries(connection.models).sort(([one], [other]) =>
        one === heads ? 1 : Number(other === heads) * -1,
      );
      for (const [name, model] of models) {
        const { paths } = model.schema;
        for (const field of name === keepsItsTime ? [] : dueFields.filter((one) => one in paths)) {
          const wrong = { [field]: { $gt: now, $lte: now + leadMs } };
          changed += (await rows(name).updateMany(wrong, { $set: { [field]: now } })).modifiedCount;
        }
        if (!endsClaims || !("leaseUntil" in paths)) continue;
        const claimed = { leaseUntil: { $gt: now + maxClaimMs, $lte: now + leadMs + maxClaimMs } };
        changed += (await rows(name).updateMany(claimed, { $set: { ...released } })).modifiedCount;
      }
      return changed;
    },
    /** How far the time was ahead (ms) by the latest run of a job; 0 for none. */
    clockLeadMs: async (now: number): Promise<number> => {
      const latest = (await rows("Job").find({}).toArray()).flatMap(({ runs }) => startsOf(runs));
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
