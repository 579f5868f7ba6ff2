import type { TaskPriority, TaskProblem } from "../modules/operations/rules/records.ts";
import type { StoredTask, TaskQueues } from "../storage/task-lists.ts";
import type { TaskStore } from "../storage/task-store.ts";
import type { Task, TaskKind } from "./task-kind.ts";

export type EnqueueOptions<Facts> = {
  now: number;
  /** When to run it (ms); default: now. A plan for an earlier time stays. */
  dueAt?: number;
  /** "person" when somebody waits for it. */
  priority?: TaskPriority;
  /** Facts to store with the task. */
  facts?: Partial<Facts>;
  /** Resets attempts to zero and forgets the latest problem. */
  fresh?: boolean;
};

export type TaskQueue = ReturnType<typeof createTaskQueue>;

export function createTaskQueue(store: TaskStore) {
  /** A kind becomes known by its first use. */
  const known = (kind: TaskQueues): string => {
    store.register(kind);
    return kind.name;
  };
  return {
    /** The store without types: counts and lists by a kind's name, and what workers do. */
    store,
    /** Makes a kind known before its first use, so the tool finds and shows its stored work. */
    register: store.register,
    /** Plans a run of a task, and creates the task if needed. Resolves once it is stored. @returns when it is due (ms); an earlier plan stays */
    enqueue: async <Payload, Facts>(
      kind: TaskKind<Payload, Facts>,
      payload: NoInfer<Payload>,
      { now, dueAt = now, priority = "background", facts, fresh = false }: EnqueueOptions<Facts>,
    ): Promise<number> => {
      const request = { ...kind.identityOf(payload), payload, dueAt, priority, fresh, facts: { ...facts } };
      return store.enqueue(known(kind), request, now, kind.whileRunning);
    },
    /** Plans existing tasks, each for its own time. Tasks that wait or run aren't changed. */
    planIdle: <Payload, Facts>(
      kind: TaskKind<Payload, Facts>,
      plans: readonly { payload: NoInfer<Payload>; dueAt: number }[],
    ): Promise<void> =>
      store.planIdle(
        known(kind),
        plans.map(({ payload, dueAt }) => ({ key: kind.identityOf(payload).key, dueAt })),
      ),
    find: async <Payload, Facts>(
      kind: TaskKind<Payload, Facts>,
      payload: NoInfer<Payload>,
    ): Promise<Task<Payload, Facts> | null> => {
      const task = await store.find(kind.name, kind.identityOf(payload).key);
      return task === null ? null : typed(kind, task);
    },
    findMany: async <Payload, Facts>(
      kind: TaskKind<Payload, Facts>,
      payloads: readonly NoInfer<Payload>[],
    ): Promise<Task<Payload, Facts>[]> => {
      const keys = payloads.map((payload) => kind.identityOf(payload).key);
      return (await store.findMany(kind.name, keys)).map((task) => typed(kind, task));
    },
    /** Background tasks of a scope that are planned after a moment (ms), soonest first. */
    listPlanned: async <Payload, Facts>(
      kind: TaskKind<Payload, Facts>,
      scope: string,
      after: number,
      limit: number,
    ): Promise<Task<Payload, Facts>[]> =>
      (await store.listPlanned(kind.name, scope, after, limit)).map((task) => typed(kind, task)),
    /** Payloads of tasks that are in use but neither wait nor run; see `listStale` of the store. */
    listStale: async <Payload, Facts>(
      kind: TaskKind<Payload, Facts>,
      filter: Parameters<TaskStore["listStale"]>[1],
    ): Promise<Payload[]> =>
      (await store.listStale(kind.name, filter)).map((task) => typed(kind, task).payload),
    /** Reads or creates a task's record without enqueueing it, and notes that its subject is in use. */
    open: async <Payload, Facts>(
      kind: TaskKind<Payload, Facts>,
      payload: NoInfer<Payload>,
      activeAt: number,
    ): Promise<Task<Payload, Facts>> =>
      typed(kind, await store.open(known(kind), { ...kind.identityOf(payload), payload }, activeAt)),
    replan: async <Payload, Facts>(
      kind: TaskKind<Payload, Facts>,
      task: Task<Payload, Facts>,
      payload: NoInfer<Payload>,
      dueAt?: number | null,
    ): Promise<boolean> => {
      known(kind);
      const { key: _key, ...identity } = kind.identityOf(payload);
      return store.replan(task, { ...identity, payload }, dueAt);
    },
    retryFailed: (
      kind: TaskQueues,
      now: number,
      of?: Parameters<TaskStore["retryFailed"]>[2],
    ): Promise<number> => store.retryFailed(known(kind), now, of),
    /** Claims the task that has been due longest; null if none is due. A task that this release can't read fails, so operators see it. */
    claim: async <Payload, Facts>(
      kind: TaskKind<Payload, Facts>,
      holder: string,
      now: number,
      until: number,
      onUnreadable?: (key: string, problem: TaskProblem) => void,
    ): Promise<Task<Payload, Facts> | null> => {
      for (;;) {
        const stored = await store.claim(known(kind), { holder, now, until });
        if (stored === null) return null;
        const read = readTask(kind, stored);
        if (!("code" in read)) return read;
        onUnreadable?.(stored.key, read);
        await store.settle(stored, holder, { how: "failed", dueAt: null, at: now, problem: read });
      }
    },
  };
}

function typed<Payload, Facts>(kind: TaskKind<Payload, Facts>, task: StoredTask): Task<Payload, Facts> {
  return { ...task, payload: kind.payload.parse(task.payload), facts: kind.facts.parse(task.facts) };
}

/** @returns the task, or the names of its wrong fields without their values. */
function readTask<Payload, Facts>(
  kind: TaskKind<Payload, Facts>,
  task: StoredTask,
): Task<Payload, Facts> | TaskProblem {
  const payload = kind.payload.safeParse(task.payload);
  const facts = kind.facts.safeParse(task.facts);
  if (payload.success && facts.success) return { ...task, payload: payload.data, facts: facts.data };
  const fields = [payload, facts].flatMap(
    ({ error }) => error?.issues.map(({ path }) => path.join(".")) ?? [],
  );
  return {
    code: "task-unreadable",
    text: `This release cannot read what is stored about the task (${fields.join(", ")}).`,
  };
}
