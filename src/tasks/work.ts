import type { DueHeads, DueKind, OnDue } from "../storage/due-heads.ts";
import type { TaskQueues } from "../storage/task-lists.ts";
import { type Clock, steadyClock } from "../kernel/clock.ts";
import type { Logger } from "../kernel/logger.ts";
import { createWorker, type Worker, type WorkerOptions } from "./create-worker.ts";
import type { TaskQueue } from "./task-queue.ts";

/**
 * Kinds of work that may have come: stores' queues, kinds of tasks, and two signals within this process. "upcoming": a session
 * became known or changed. "arrivals": people are entering.
 */
export type WakeKind = DueKind | TaskQueues | "upcoming" | "arrivals";

/** Wakes the workers of a kind. It is only a hint: the regular check soon finds what it misses. */
export type Wake = (kind: WakeKind) => void;

/** Background work of a module: a worker, and the kinds that wake it. */
export type Work = {
  worker: Pick<Worker, "start" | "stop">;
  wakes?: readonly (readonly [kind: WakeKind, wake: () => void])[];
};

export type WorkTable = {
  /** Wakes the workers of a kind. Does nothing before they are added. */
  wake: Wake;
  add: (works: readonly Work[]) => void;
  /** @throws when a kind has no worker, because nobody would do its work. */
  start: (kinds: readonly string[]) => void;
  /** Takes no new work, and resolves when running work has finished. */
  stop: () => Promise<void>;
};

/** A check finds work that other processes made, postponed or left when they were killed, if it is due by the next check. */
const checkIntervalMs = 10_000;
/** While something is due, the next check follows after this. Processes also spread planned work over this time, at random. */
const spreadMs = 1_200;

/** Workers sleep until their work is due. Work that this process makes wakes them; regular checks find all other work. */
export function createWorkTable(deps: {
  dueHeads: Pick<DueHeads, "kindsDue" | "listen">;
  clock: Clock;
  logger: Logger;
  /** Returns a number between 0 and 1. */
  random: () => number;
}): WorkTable {
  const { clock, dueHeads } = deps;
  const elapsed = steadyClock(clock).now;
  const works: Work[] = [];
  const wakesOf = new Map<string, (() => void)[]>();
  const wakeAll = (kinds: readonly string[]) => {
    // Several kinds may share a worker, which then needs one wake.
    for (const one of new Set(kinds.flatMap((kind) => wakesOf.get(kind) ?? []))) one();
  };
  /** When to wake workers for work that comes due before the next check (ms), by kind. */
  const plans = new Map<string, number>();
  let nextCheckAt = -Infinity;
  const plan: OnDue = (kind, at) => {
    const now = clock.now();
    if (at > now + checkIntervalMs || !wakesOf.has(kind)) return;
    if (at > now) {
      const planned = plans.get(kind) ?? Infinity;
      if (at < planned) plans.set(kind, Math.min(planned, at + deps.random() * spreadMs));
      if (at < planned) looking.wake();
      return;
    }
    wakeAll([kind]);
    // Its workers may just have passed over it, so check again soon.
    const soon = elapsed() + spreadMs;
    if (nextCheckAt <= soon) return;
    nextCheckAt = soon;
    looking.wake();
  };
  const check = async () => {
    const due = await dueHeads.kindsDue(clock.now() + checkIntervalMs);
    nextCheckAt = elapsed() + checkIntervalMs;
    plans.clear();
    for (const [kind, at] of due) plan(kind, at);
  };
  const looking = createWorker(deps, {
    name: "what is due",
    lanes: 1,
    step: async () => {
      // A check planned further ahead than the interval means that the clock was set back.
      if (elapsed() >= nextCheckAt || nextCheckAt > elapsed() + checkIntervalMs) await check();
      const due = [...plans].filter(([, at]) => at <= clock.now());
      for (const [kind, at] of due) {
        plans.delete(kind);
        plan(kind, at);
      }
      const next = Math.min(
        checkIntervalMs,
        nextCheckAt - elapsed(),
        ...[...plans.values()].map((at) => at - clock.now()),
      );
      return Math.max(1, next);
    },
  });
  return {
    wake: (kind) => {
      wakeAll(namesOf(kind));
    },
    add: (more) => {
      works.push(...more);
      for (const [kind, one] of more.flatMap(({ wakes = [] }) => wakes))
        for (const name of namesOf(kind)) wakesOf.set(name, [...(wakesOf.get(name) ?? []), one]);
    },
    start: (kinds) => {
      const without = kinds.filter((kind) => !wakesOf.has(kind));
      if (without.length > 0) throw new Error(`no worker handles: ${without.join(", ")}`);
      dueHeads.listen(plan);
      for (const { worker } of works) worker.start();
      looking.start();
    },
    stop: async () => {
      await Promise.all([looking, ...works.map(({ worker }) => worker)].map((worker) => worker.stop()));
    },
  };
}

/** The names of a kind's queues; a kind of task may have two. */
export function namesOf(kind: WakeKind): readonly string[] {
  return typeof kind === "string" ? [kind] : kind.heads.map(({ head }) => head);
}

export function wokenFor(worker: Worker, ...kinds: readonly WakeKind[]): Work {
  return { worker, wakes: kinds.map((kind) => [kind, worker.wake] as const) };
}

/** Runs a kind of task in this process and registers it, so the console shows it and lost work is found. */
export function taskWorker(
  deps: Parameters<typeof createWorker>[0] & { tasks: Pick<TaskQueue, "register"> },
  kind: TaskQueues,
  { lanes, step }: Pick<WorkerOptions, "lanes" | "step">,
): Work {
  deps.tasks.register(kind);
  return wokenFor(createWorker(deps, { name: kind.name, lanes, step }), kind);
}

/** How many tasks may ask the classroom at the same time. An account whose service hangs occupies two at most (see `classroom/background-rest`). */
const classroomLanes = 4;

/** As `taskWorker`, for tasks that ask the classroom. With a single account, they run one at a time. */
export function classroomTaskWorker(
  deps: Parameters<typeof taskWorker>[0] & { accounts: { ids: () => readonly string[] } },
  kind: TaskQueues,
  step: WorkerOptions["step"],
): Work {
  let running = 0;
  return taskWorker(deps, kind, {
    lanes: classroomLanes,
    step: async (ending) => {
      if (running > 0 && deps.accounts.ids().length < 2) return false;
      running += 1;
      try {
        return await step(ending);
      } finally {
        running -= 1;
      }
    },
  });
}
