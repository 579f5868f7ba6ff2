import type { DueHeads } from "../storage/due-heads.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Logger } from "../kernel/logger.ts";
import { createWorker, type Worker } from "./create-worker.ts";
import type { Wake, WakeKind } from "./wake.ts";

/** Background work of a module: a worker, and the kinds it is woken for. */
export type Work = {
  worker: Pick<Worker, "start" | "stop">;
  wakes?: readonly (readonly [kind: WakeKind, wake: () => void])[];
};

export type WorkTable = {
  /** Wakes the workers of a kind; does nothing before they are added. */
  wake: Wake;
  add: (works: readonly Work[]) => void;
  /** @throws when one of the kinds has no worker: its work would never be done. */
  start: (kinds: readonly string[]) => void;
  /** Takes no new work; resolves when what is running is finished. */
  stop: () => Promise<void>;
};

/** How often an idle process asks its store what is due (ms). */
const lookIntervalMs = 1_200;

/** Work of this process wakes its workers at once; the look finds all other work. */
export function createWorkTable(deps: {
  dueHeads: Pick<DueHeads, "kindsDue">;
  clock: Clock;
  logger: Logger;
}): WorkTable {
  const works: Work[] = [];
  const wakesOf = new Map<string, (() => void)[]>();
  const wake: Wake = (kind) => {
    for (const one of new Set(namesOf(kind).flatMap((name) => wakesOf.get(name) ?? []))) one();
  };
  const looking = createWorker(deps, {
    name: "what is due",
    lanes: 1,
    idleMs: lookIntervalMs,
    step: async () => {
      const due = await deps.dueHeads.kindsDue(deps.clock.now());
      // Several kinds may share a worker.
      for (const one of new Set([...due].flatMap((kind) => wakesOf.get(kind) ?? []))) one();
      return false;
    },
  });
  return {
    wake,
    add: (more) => {
      works.push(...more);
      for (const [kind, one] of more.flatMap(({ wakes = [] }) => wakes))
        for (const name of namesOf(kind)) wakesOf.set(name, [...(wakesOf.get(name) ?? []), one]);
    },
    start: (kinds) => {
      const without = kinds.filter((kind) => !wakesOf.has(kind));
      if (without.length > 0) throw new Error(`no worker is woken for: ${without.join(", ")}`);
      for (const { worker } of works) worker.start();
      looking.start();
    },
    stop: async () => {
      await Promise.all([looking, ...works.map(({ worker }) => worker)].map((worker) => worker.stop()));
    },
  };
}

/** A kind of task may have two queues. */
function namesOf(kind: WakeKind): readonly string[] {
  return typeof kind === "string" ? [kind] : kind.heads.map(({ head }) => head);
}

export function wokenFor(worker: Worker, ...kinds: readonly WakeKind[]): Work {
  return { worker, wakes: kinds.map((kind) => [kind, worker.wake] as const) };
}
