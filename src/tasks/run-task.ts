import type { Clock } from "../kernel/clock.ts";
import { messageOf, NamedError, problemCodeOf, waitIfNothingTried } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";
import type { Ids } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import { workOnDue } from "../kernel/with-claim.ts";
import type { TaskEnd } from "../storage/task-store.ts";
import { retryAfter, type Task, type TaskHandler, type TaskKind, type TaskResult } from "./task-kind.ts";
import type { TaskQueue } from "./task-queue.ts";

export type RunTaskDeps = {
  tasks: Pick<TaskQueue, "claim" | "store">;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  /** Aborts when this process must end; running tasks are given back. */
  ending: AbortSignal;
};

/**
 * Claims the task of a kind that has been due longest, and runs it under a claim that it keeps extending. After a crash, the next
 * process starts the task again within seconds. Failures are tried again by the kind's policy.
 * @returns false when none is due.
 */
export async function runNextTask<Payload, Facts>(
  deps: RunTaskDeps,
  kind: TaskKind<Payload, Facts>,
  handler: TaskHandler<Payload, Facts>,
): Promise<boolean> {
  const { store, claim } = deps.tasks;
  const claimDue = (holder: string, now: number, until: number) =>
    claim(kind, holder, now, until, (key, problem) => {
      deps.logger.error({ task: kind.name, key, problem: problem.text }, "a task cannot be read");
    });
  return workOnDue(deps, { claimDue, extend: store.extend }, async (task, holder) => {
    await store.settle(task, holder, await endOf(deps, { kind, handler, task, holder }));
  });
}

type Work<Payload, Facts> = {
  kind: TaskKind<Payload, Facts>;
  handler: TaskHandler<Payload, Facts>;
  task: Task<Payload, Facts>;
  holder: string;
};

async function endOf<Payload, Facts>(deps: RunTaskDeps, work: Work<Payload, Facts>): Promise<TaskEnd> {
  const { handler, task, holder } = work;
  const progress = async (facts: Partial<Facts>): Promise<number> => {
    deps.ending.throwIfAborted();
    const timesEnqueued = await deps.tasks.store.progress(task.id, holder, { ...facts });
    if (timesEnqueued !== null) return timesEnqueued;
    throw refusal("claim-lost", { temporary: true });
  };
  try {
    const result = await handler.run(task, { signal: deps.ending, progress });
    return result.failure === undefined
      ? ended(deps, result)
      : failed(deps, work, result.failure, { ...result.facts });
  } catch (thrown) {
    if (deps.ending.aborted) return { how: "given-back", dueAt: null, at: deps.clock.now() };
    return failed(deps, work, thrown, {});
  }
}

function ended<Facts>({ clock }: RunTaskDeps, result: TaskResult<Facts>): TaskEnd {
  const { nextAt, facts, factsUnlessEnqueued, postponed = false } = result;
  return {
    how: postponed ? "postponed" : "done",
    dueAt: nextAt,
    at: clock.now(),
    facts: { ...facts },
    factsUnlessEnqueued: { ...factsUnlessEnqueued },
  };
}

function failed<Payload, Facts>(
  { clock, logger }: RunTaskDeps,
  { kind, handler, task }: Work<Payload, Facts>,
  thrown: unknown,
  facts: Record<string, unknown>,
): TaskEnd {
  const now = clock.now();
  const { kind: name, key, attempts } = task;
  const {
    waitsUntil = null,
    givenUpUntil = null,
    staysFirst = false,
    ...outcome
  } = handler.failed?.(task, thrown) ?? {};
  const problem = outcome.problem ?? { code: problemCodeOf(thrown), text: textOf(thrown) };
  logger.warn({ task: name, key, attempts, problem: problem.text }, "a task failed");
  const pause = retryAfter(kind.retry, attempts, thrown);
  const wait = waitIfNothingTried(thrown);
  const until = waitsUntil ?? (wait === null ? null : now + wait);
  return {
    how: "failed",
    at: now,
    problem,
    facts: { ...facts, ...outcome.facts },
    dueAt: until ?? (pause === null ? givenUpUntil : now + pause),
    uncounted: until !== null,
    staysFirst,
  };
}

function textOf(thrown: unknown): string {
  return thrown instanceof NamedError ? thrown.message : `Unexpected: ${messageOf(thrown)}`;
}
