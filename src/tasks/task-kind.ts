import type { z } from "zod";
import type { StoredTask, TaskHead, TaskIdentity, TaskProblem } from "../storage/task-row.ts";
import type { RetryPolicy } from "./retry-policies.ts";

/** One kind of work that waits in the queue and survives everything: what it is about and how it is run. */
export type TaskKind<Payload, Facts> = {
  /** Unique, stored, never changed. */
  name: string;
  /** Its queues: tasks of the first go before those of the second, whatever scope they are of. */
  heads: readonly TaskHead[];
  /** What a task is about. */
  payload: z.ZodType<Payload>;
  /** Progress, and what is known from earlier runs; `{}` must be valid and is what a new task has. */
  facts: z.ZodType<Facts>;
  /** The task that something is about: its key, between which scopes the queue is fair, with whom it is erased. */
  identityOf: (payload: Payload) => TaskIdentity;
  retry: RetryPolicy;
  /** What a wish does to a task that is running: have it run once more, or take part in what comes of this run. */
  whileRunning: "again" | "serves";
};

/** A task as those see it who know its kind. */
export type Task<Payload, Facts> = Omit<StoredTask, "payload" | "facts"> & { payload: Payload; facts: Facts };

/** How a run ended well, or as far as it came. */
export type TaskResult<Facts> = {
  /** When the task is run next by itself (ms); null when nothing is planned. */
  nextAt: number | null;
  facts?: Partial<Facts>;
  /** Facts that hold only when nobody wished for another run meanwhile. */
  factsUnlessWished?: Partial<Facts>;
  /** Nothing was tried: neither an attempt nor a success. */
  postponed?: boolean;
  /** What ended the run early, when part of it took effect: tried again as if it had been thrown. */
  failure?: unknown;
};

/** What is done when a task failed; what is left out is as the retry policy has it. */
export type TaskFailure<Facts> = {
  problem?: TaskProblem;
  facts?: Partial<Facts>;
  /** Nothing was tried of this task, and it waits until then (ms). */
  waitsUntil?: number | null;
  /** When a task that is given up is run all the same (ms); null when not by itself. */
  givenUpUntil?: number | null;
  /** Whoever waited for it still does: the next try goes before the background, too. */
  staysFirst?: boolean;
};

/** What a handler is given besides the task. */
export type TaskRun<Facts> = {
  /** Aborted when this process is to end: the task is given back. */
  signal: AbortSignal;
  /**
   * Writes down how far it has come.
   * @returns how often the task was wished for by now.
   * @throws NamedError "claim-lost" when another process has taken over.
   */
  progress: (facts: Partial<Facts>) => Promise<number>;
};

/** Does a task. What it throws is tried again by the kind's retry policy. */
export type TaskHandler<Payload, Facts> = {
  run: (task: Task<Payload, Facts>, run: TaskRun<Facts>) => Promise<TaskResult<Facts>>;
  /** Called when a run failed, before that is written down. */
  failed?: (task: Task<Payload, Facts>, thrown: unknown) => TaskFailure<Facts>;
};

/**
 * Which goes first. "person-first": what somebody waits for goes before all else of the kind. "person-first-in-scope": before
 * all else of its scope; scopes take turns.
 */
export type TaskOrder = "person-first" | "person-first-in-scope";

/**
 * A kind of task, with its types taken from its schemas.
 * @param kind.queue How its queue is called where that is stored; as the kind when left out.
 */
export function defineTask<Payload, Facts>({
  order,
  queue,
  ...kind
}: Omit<TaskKind<Payload, Facts>, "heads"> & { order: TaskOrder; queue?: string }): TaskKind<Payload, Facts> {
  return { ...kind, heads: headsOf(order, queue ?? kind.name) };
}

function headsOf(order: TaskOrder, head: string): readonly TaskHead[] {
  if (order === "person-first-in-scope") return [{ head, priorities: ["person", "background"] }];
  return [
    { head: `wanted-${head}`, priorities: ["person"] },
    { head, priorities: ["background"] },
  ];
}
