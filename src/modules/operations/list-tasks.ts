import type { Clock } from "../../kernel/clock.ts";
import type { TaskCounts } from "../../storage/task-lists.ts";
import type { TaskQueue } from "../../tasks/task-queue.ts";
import type { Wake } from "../../tasks/wake.ts";

export type ListTasksDeps = { tasks: Pick<TaskQueue, "store">; clock: Clock };

export type ListedTasks = TaskCounts & { kind: string };

/** Failing kinds first. */
export async function listTasks({ tasks, clock }: ListTasksDeps): Promise<ListedTasks[]> {
  const { store } = tasks;
  const now = clock.now();
  const listed = await Promise.all(
    store.kinds().map(async ({ name }) => ({ kind: name, ...(await store.counts(name, now)) })),
  );
  return listed.toSorted((one, other) => Math.sign(other.failing) - Math.sign(one.failing));
}

/** Runs the failed tasks of a kind now. @returns how many; null for an unknown kind. */
export async function retryTasks(deps: ListTasksDeps & { wake: Wake }, kind: string): Promise<number | null> {
  const { store } = deps.tasks;
  const known = store.kinds().find(({ name }) => name === kind);
  if (known === undefined) return null;
  const retried = await store.retryFailed(kind, deps.clock.now());
  deps.wake(known);
  return retried;
}
