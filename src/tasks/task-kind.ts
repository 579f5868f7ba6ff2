import type { z } from "zod";
import type { TaskProblem } from "../modules/operations/rules/records.ts";
import type { StoredTask, TaskHead, TaskIdentity } from "../storage/task-lists.ts";
import { NamedError } from "../kernel/errors.ts";
import { hourMs, minuteMs, secondMs } from "../kernel/clock.ts";

/** One kind of stored work: what it is about and how it is run. */
export type TaskKind<Payload, Facts> = {
  /** Unique, stored, never changed. */
  name: string;
  /** Its queues: tasks of the first go before those of the second, of whatever scope. */
  heads: readonly TaskHead[];
  payload: z.ZodType<Payload>;
  /** Progress, and what is known from earlier runs; a new task has `{}`, which must be valid. */
  facts: z.ZodType<Facts>;
  /** Its key, the scope for fairness, and with whom it is erased. */
  identityOf: (payload: Payload) => TaskIdentity;
  retry: RetryPolicy;
  /** What enqueueing does to a running task: it runs once more, or this run serves. */
  whileRunning: "again" | "serves";
};

export type Task<Payload, Facts> = Omit<StoredTask, "payload" | "facts"> & { payload: Payload; facts: Facts };

/** The result of a successful or partial run. */
export type TaskResult<Facts> = {
  /** The next run (ms); null for none planned. */
  nextAt: number | null;
  facts?: Partial<Facts>;
  /** Facts that count only when nobody enqueued the task during its run. */
  factsUnlessEnqueued?: Partial<Facts>;
  /** Nothing was tried: neither an attempt nor a success. */
  postponed?: boolean;
  /** What ended the run early after part of it took effect: retried as if it had been thrown. */
  failure?: unknown;
};

/** What follows a failure; what is left out is as the retry policy has it. */
export type TaskFailure<Facts> = {
  problem?: TaskProblem;
  facts?: Partial<Facts>;
  /** Nothing was tried of this task, and it waits until then (ms). */
  waitsUntil?: number | null;
  /** When a task that is given up is run all the same (ms); null for not automatically. */
  givenUpUntil?: number | null;
  /** Somebody still waits for it: the next try goes before the background, too. */
  staysFirst?: boolean;
};

export type TaskRun<Facts> = {
  /** Aborted when this process is to end: the task is given back. */
  signal: AbortSignal;
  /** Stores progress. @returns how often the task was enqueued. @throws NamedError "claim-lost": taken over. */
  progress: (facts: Partial<Facts>) => Promise<number>;
};

/** What it throws is tried again by the kind's retry policy. */
export type TaskHandler<Payload, Facts> = {
  run: (task: Task<Payload, Facts>, run: TaskRun<Facts>) => Promise<TaskResult<Facts>>;
  /** Called when a run failed, before that is stored. */
  failed?: (task: Task<Payload, Facts>, thrown: unknown) => TaskFailure<Facts>;
};

/**
 * "person-first": tasks that a person waits for go before all others of the kind. "person-first-in-scope": before all
 * else of their scope; scopes take turns.
 */
export type TaskOrder = "person-first" | "person-first-in-scope";

/** A kind of task, typed by its schemas. @param kind.queue The stored name of its queue; the kind's name when left out. */
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

type RetryPolicy = {
  firstMs: number;
  /** Each pause is the one before times this. */
  factor: number;
  /** No pause is longer (ms), unless the other side asked for it. */
  longestMs: number;
  /** Failures in a row that are retried; after one more the task is given up until it is enqueued again. */
  tries: number;
  /** "give-up": only what is said to be temporary is tried again. "retry": everything is. */
  lasting: "give-up" | "retry";
};

/** The one table of what is retried, and when. */
export const retryPolicies = {
  /** From the classroom: the next reading of the session's timetable follows in any case. */
  "attendance-readings": { firstMs: minuteMs, factor: 2, longestMs: 6 * hourMs, tries: 9, lasting: "retry" },
  /** From the classroom: the next webhook or session asks for it again. */
  "recording-readings": { firstMs: 15 * secondMs, factor: 4, longestMs: hourMs, tries: 5, lasting: "retry" },
  /** From the classroom, by its slow budget; many have none. */
  "session-analytics": { firstMs: minuteMs, factor: 4, longestMs: 6 * hourMs, tries: 6, lasting: "give-up" },
  /** Only our own records are read: whatever fails is tried again. */
  "space-visits": { firstMs: 15 * secondMs, factor: 2, longestMs: hourMs, tries: 20, lasting: "retry" },
  "session-presence": { firstMs: 5 * secondMs, factor: 2, longestMs: hourMs, tries: 20, lasting: "retry" },
  "unplanned-sessions": { firstMs: 5 * secondMs, factor: 2, longestMs: hourMs, tries: 20, lasting: "retry" },
  /** To the mail server, which does not answer; each mail says itself how long it is of use. */
  mails: { firstMs: 10 * secondMs, factor: 2, longestMs: 10 * minuteMs, tries: 200, lasting: "retry" },
  /** From the LMS: the nightly round asks for it again. */
  rosters: { firstMs: 5 * secondMs, factor: 2, longestMs: 10 * minuteMs, tries: 10, lasting: "give-up" },
} as const satisfies Record<string, RetryPolicy>;

/**
 * The wait after a failure (ms), or what the other side asked for (`retryAfterMs`, from Retry-After).
 * @param attempts Failures in a row, this one included.
 * @returns null when it is given up.
 */
export function retryAfter(policy: RetryPolicy, attempts: number, thrown: unknown): number | null {
  if (attempts > policy.tries) return null;
  if (policy.lasting === "give-up" && thrown instanceof NamedError && !thrown.temporary) return null;
  const pause = policy.firstMs * policy.factor ** Math.max(0, attempts - 1);
  return Math.max(Math.min(pause, policy.longestMs), askedFor(thrown) ?? 0);
}

function askedFor(thrown: unknown): number | null {
  const wait = thrown instanceof NamedError ? thrown.details["retryAfterMs"] : null;
  return typeof wait === "number" ? wait : null;
}
