import { mendHeads, type MendHeadsDeps } from "./modules/operations/mend-heads.ts";
import { createWorker, type Worker } from "./tasks/create-worker.ts";
import type { DueHeads, DueKind } from "./storage/due-heads.ts";

type Waking = { wake: () => void };
type Part = { worker: Waking };

/** Whoever does the work of a kind. */
type Parts = Record<"rosters" | "provisioning" | "recordings" | "marks" | "planning" | "privacy", Part> & {
  deliveryWorker: Waking;
  grading: Part & { columns: Waking };
  receipts: Part & { wakeSlow: () => void };
  reading: Record<"readings" | "matches", Waking>;
  door: { entering: { onPlaceWanted: () => void } };
  ahead: { backlog: Waking };
};

/** How often one look finds out what is due (ms): the only thing that an idle process asks its store all the time. */
const looksEvery = 1_200;
/** How often heads are looked through (ms); the first time at the start, after an update. */
const mendsEvery = 10 * 60_000;

/**
 * Puts together who wakes the workers: work that this process makes wakes them at once; this finds what other processes
 * made, what was put off, and what a killed one left.
 */
export function buildDue(
  deps: MendHeadsDeps & { dueHeads: Pick<DueHeads, "kindsDue"> },
  parts: Parts,
): { worker: Pick<Worker, "start" | "stop"> } {
  const wake = wakesOf(parts);
  const looking = createWorker(deps, {
    name: "what is due",
    lanes: 1,
    idleMs: looksEvery,
    step: async () => {
      const due = await deps.dueHeads.kindsDue(deps.clock.now());
      // Some kinds are one worker's.
      for (const one of new Set([...due].map((kind) => wake[kind]))) one();
      return false;
    },
  });
  const mending = createWorker(deps, {
    name: "heads of queues",
    lanes: 1,
    idleMs: mendsEvery,
    step: async () => {
      await mendHeads(deps);
      return false;
    },
  });
  return {
    worker: {
      start: () => {
        looking.start();
        mending.start();
      },
      stop: async () => {
        await Promise.all([looking.stop(), mending.stop()]);
      },
    },
  };
}

function wakesOf(parts: Parts): Record<DueKind, () => void> {
  const { grading, receipts, reading, rosters, planning } = parts;
  return {
    deliveries: parts.deliveryWorker.wake,
    regrades: grading.worker.wake,
    "institution-regrades": grading.worker.wake,
    "owed-grades": grading.worker.wake,
    columns: grading.columns.wake,
    receipts: receipts.worker.wake,
    "slow-receipts": receipts.wakeSlow,
    "wanted-rosters": rosters.worker.wake,
    rosters: rosters.worker.wake,
    people: parts.provisioning.worker.wake,
    "wanted-readings": reading.readings.wake,
    readings: reading.readings.wake,
    recordings: parts.recordings.worker.wake,
    matches: reading.matches.wake,
    "claimed-sessions": reading.matches.wake,
    marks: parts.marks.worker.wake,
    "session-plans": planning.worker.wake,
    "space-changes": planning.worker.wake,
    erasures: parts.privacy.worker.wake,
    door: parts.door.entering.onPlaceWanted,
    ahead: parts.ahead.backlog.wake,
  };
}
