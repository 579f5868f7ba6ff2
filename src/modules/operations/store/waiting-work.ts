import type { Connection } from "mongoose";
import { type DueKind, horizonMs } from "../../../storage/due-heads.ts";
import { collectionsByModel } from "../../../storage/records.ts";

/** The queues of stores that count as work. The classroom's page shows people who enter. */
export type WorkKind = Exclude<DueKind, "door">;

export type WaitingWork = {
  kind: WorkKind;
  /** Planned or due, and not failing. */
  waiting: number;
  /** Failed, whether it's retried or not, or left to people. */
  failing: number;
  /** Since when the oldest has been due (ms). Null for none or unknown. */
  oldestAt: number | null;
};

type Filter = Record<string, unknown>;
type Queue = {
  model: string;
  waits: Filter;
  fails?: Filter;
  /** The field with the time when waiting began, and its model if it's another one. */
  since?: string;
  sinceIn?: string;
};

const planned = { dueAt: { $lt: horizonMs } };
const tries = { ...planned, problem: null };
const fails = { ...planned, problem: { $ne: null } };
/** All accounts, because the index begins with them. */
const openClasses = { environment: { $gt: "" }, open: true };

const queues: Record<WorkKind, Queue> = {
  receipts: {
    model: "Receipt",
    waits: { state: "waiting" },
    fails: { state: "failed" },
    since: "receivedAt",
  },
  "slow-receipts": {
    model: "Receipt",
    waits: { state: { $in: ["asking", "again"] } },
    fails: { state: "unmatched" },
  },
  deliveries: {
    model: "Delivery",
    waits: { state: "waiting" },
    fails: { state: "refused" },
    since: "waitingSince",
  },
  regrades: { model: "Regrade", waits: tries, fails, since: "dueAt" },
  "owed-grades": { model: "OwedGrading", waits: { dueAt: { $gt: 0 } }, since: "dueAt" },
  "institution-regrades": { model: "InstitutionDefaults", waits: { regradedUpTo: { $gte: "" } } },
  columns: {
    model: "Column",
    waits: { tellAt: { $gte: 0 }, tellFailures: { $not: { $gt: 0 } } },
    fails: { tellAt: { $gte: 0 }, tellFailures: { $gt: 0 } },
    since: "tellAt",
  },
  people: {
    model: "Provisioning",
    waits: { refused: false },
    fails: { refused: true },
    since: "dueAt",
    sinceIn: "ProvisioningTurn",
  },
  "session-plans": { model: "SessionPlan", waits: tries, fails, since: "dueAt" },
  "space-changes": { model: "Course", waits: { spaceChangeAt: { $gte: 0 } }, since: "spaceChangeAt" },
  marks: { model: "AttendanceMark", waits: planned, since: "dueAt" },
  matches: { model: "UserMatch", waits: planned, since: "dueAt" },
  "claimed-sessions": { model: "StrayEvent", waits: planned, since: "dueAt" },
  ahead: {
    model: "ExpectedClass",
    waits: { ...openClasses, failures: { $not: { $gt: 0 } } },
    fails: { ...openClasses, failures: { $gt: 0 } },
  },
  erasures: { model: "Erasure", waits: planned, since: "askedAt" },
};
const kinds = Object.keys(queues).filter((kind): kind is WorkKind => kind in queues);

/** Shows the work in the queues of all stores, and only reads. Opened after them. */
export function createWaitingWork(connection: Connection) {
  const rows = collectionsByModel(connection);
  const oldest = async ({ model, waits, since, sinceIn }: Queue, now: number): Promise<number | null> => {
    if (since === undefined) return null;
    const due = { ...(sinceIn === undefined ? waits : {}), [since]: { $gt: 0, $lte: now } };
    const first = { sort: { [since]: 1 }, limit: 1 } as const;
    const [row] = await rows(sinceIn ?? model)
      .find(due, first)
      .toArray();
    const at = row?.[since];
    return typeof at === "number" ? at : null;
  };
  return {
    list: (now: number): Promise<WaitingWork[]> =>
      Promise.all(
        kinds.map(async (kind) => {
          const queue = queues[kind];
          const counted = rows(queue.model);
          const [waiting, failing, oldestAt] = await Promise.all([
            counted.countDocuments(queue.waits),
            queue.fails === undefined ? 0 : counted.countDocuments(queue.fails),
            oldest(queue, now),
          ]);
          return { kind, waiting, failing, oldestAt };
        }),
      ),
  };
}
