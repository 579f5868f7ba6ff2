import type { z } from "zod";
import type { TaskProblem } from "../modules/operations/rules/records.ts";
import type { StoredTask, TaskHead, TaskIdentity } from "../storage/task-lists.ts";
import { NamedError } from "../kernel/errors.ts";
import { hourMs, minuteMs, secondMs } from "../kernel/clock.ts";

/** One kind of stored work: its payload, and how it is run. */
export type TaskKind<Payload, Facts> = {
  /** Unique and stored, so it must never change. */
  name: string;
  /** Its queues. Tasks in the first queue go before those in the second, whatever their scope. */
  heads: readonly TaskHead[];
  /** How many tasks of a scope may run at the same time, in all processes together. Left out: any number. */
  perScope?: number;
  payload: z.ZodType<Payload>;
  /** Progress, and facts from earlier runs. A new task has `{}`, which must be valid. */
  facts: z.ZodType<Facts>;
  /** The task's key, its scope for fairness, and the course and registration with which it is erased. */
  identityOf: (payload: Payload) => TaskIdentity;
  retry: RetryPolicy;
  /** What enqueueing a running task means: "again" runs it once more afterwards, "serves" counts the present run. */
  whileRunning: "again" | "serves";
};

export type Task<Payload, Facts> = Omit<StoredTask, "payload" | "facts"> & { payload: Payload; facts: Facts };

/** The result of a successful or partial run. */
export type TaskResult<Facts> = {
  /** When to run next (ms); null for never, unless enqueued. */
  nextAt: number | null;
  facts?: Partial<Facts>;
  /** Facts that are stored only if nobody enqueued the task during its run. */
  factsUnlessEnqueued?: Partial<Facts>;
  /** Nothing was tried, so the run counts neither as an attempt nor as a success. */
  postponed?: boolean;
  /** What ended the run early after part of it took effect. It is retried as if it had been thrown. */
  failure?: unknown;
};

/** What follows a failure. The retry policy decides everything that is left out. */
export type TaskFailure<Facts> = {
  problem?: TaskProblem;
  facts?: Partial<Facts>;
  /** Nothing was tried for this task, and it waits until then (ms). */
  waitsUntil?: number | null;
  /** When to run a task anyway after giving it up (ms); null for not automatically. */
  givenUpUntil?: number | null;
  /** Somebody still waits for it, so the next try also goes before background tasks. */
  staysFirst?: boolean;
};

export type TaskRun<Facts> = {
  /** Aborts when this process must end; the task is given back. */
  signal: AbortSignal;
  /** Stores progress. @returns how often the task has been enqueued. @throws NamedError "claim-lost": another process has it */
  progress: (facts: Partial<Facts>) => Promise<number>;
};

/** Runs tasks. The kind's retry policy applies to whatever `run` throws. */
export type TaskHandler<Payload, Facts> = {
  run: (task: Task<Payload, Facts>, run: TaskRun<Facts>) => Promise<TaskResult<Facts>>;
  /** Called when a run failed, before that is stored. */
  failed?: (task: Task<Payload, Facts>, thrown: unknown) => TaskFailure<Facts>;
};

/**
 * "person-first": tasks that a person waits for go before all others of the kind. "person-first-in-scope": they go before
 * others of their scope, and scopes take turns.
 */
export type TaskOrder = "person-first" | "person-first-in-scope";

/** Defines a kind of task, typed by its schemas. @param kind.queue The stored name of its queue; default: the kind's name. */
export function defineTask<Payload, Facts>({
  order,
  queue,
  ...kind
}: Omit<TaskKind<Payload, Facts>, "heads"> & { order: TaskOrder; queue?: string }): TaskKind<Payload, Facts> {
  return { ...kind, heads: headsOf(order, queue ?? kind.name) };
}

/** A task of a classroom account, of no course. */
export function ofAccount(environment: string, id: string): TaskIdentity {
  return { key: `${environment}:${id}`, scope: environment, registrationId: null, courseId: null };
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
  /** Each pause is the previous one times this factor. */
  factor: number;
  /** The longest pause (ms), unless the other side asked for a longer one. */
  longestMs: number;
  /** How many failures in a row are retried. After one more, the task is given up until it is enqueued again. */
  tries: number;
  /** "give-up": only temporary errors are tried again. "retry": all errors are. */
  lasting: "give-up" | "retry";
};

/** What is retried, and when: the only such table. */
export const retryPolicies = {
  /** Reads from the classroom. The session's timetable plans the next reading in any case. */
  "attendance-readings": { firstMs: minuteMs, factor: 2, longestMs: 6 * hourMs, tries: 9, lasting: "retry" },
  /** Reads from the classroom. The next webhook or session triggers it again. */
  "recording-readings": { firstMs: 15 * secondMs, factor: 4, longestMs: hourMs, tries: 5, lasting: "retry" },
  /** Reads from the classroom within its slow analytics budget. Many sessions have none. */
  "session-analytics": { firstMs: minuteMs, factor: 4, longestMs: 6 * hourMs, tries: 6, lasting: "give-up" },
  /** Reads only our own records, so every failure is tried again. */
  "space-visits": { firstMs: 15 * secondMs, factor: 2, longestMs: hourMs, tries: 20, lasting: "retry" },
  "session-presence": { firstMs: 5 * secondMs, factor: 2, longestMs: hourMs, tries: 20, lasting: "retry" },
  "unplanned-sessions": { firstMs: 5 * secondMs, factor: 2, longestMs: hourMs, tries: 20, lasting: "retry" },
  /** Retries a mail server that doesn't answer. Each mail says how long it is useful. */
  mails: { firstMs: 10 * secondMs, factor: 2, longestMs: 10 * minuteMs, tries: 200, lasting: "retry" },
  /** Reads from the LMS. The nightly round triggers it again. */
  rosters: { firstMs: 5 * secondMs, factor: 2, longestMs: 10 * minuteMs, tries: 10, lasting: "give-up" },
} as const satisfies Record<string, RetryPolicy>;

/**
 * How long to wait after a failure (ms): by the policy, or as long as the other side asked (`retryAfterMs`, from Retry-After).
 * @param attempts Failures in a row, including this one.
 * @returns null when the task is given up.
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
