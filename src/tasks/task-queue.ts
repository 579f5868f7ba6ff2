import type { TaskPriority, TaskProblem } from "../modules/operations/rules/records.ts";
import type { StoredTask, TaskQueues } from "../storage/task-lists.ts";
import type { TaskStore } from "../storage/task-store.ts";
import type { Task, TaskKind } from "./task-kind.ts";

export type EnqueueOptions<Facts> = {
  now: number;
  /** When to run it (ms); now when left out. An earlier plan is kept. */
  dueAt?: number;
  /** "person" when somebody waits for it. */
  priority?: TaskPriority;
  /** Facts that are stored along with it. */
  facts?: Partial<Facts>;
  /** Attempts start at zero, and the latest problem is forgotten. */
  fresh?: boolean;
};

export type TaskQueue = ReturnType<typeof createTaskQueue>;

export function createTaskQueue(store: TaskStore) {
  /** A kind is known from its first use. */
  const known = (kind: TaskQueues): string => {
    store.register(kind);
    return kind.name;
  };
  return {
    /** Untyped: counts and lists by the name of a kind, and what workers do. */
    store,
    /** Makes a kind known before its first use, so its stored work is found and shown. */
    register: (kind: TaskQueues): void => {
      store.register(kind);
    },
    /** Has a task run, and makes it when missing. Stored when this resolves. @returns when it is due (ms): an earlier plan is kept. */
    enqueue: async <Payload, Facts>(
      kind: TaskKind<Payload, Facts>,
      payload: NoInfer<Payload>,
      { now, dueAt = now, priority = "background", facts, fresh = false }: EnqueueOptions<Facts>,
    ): Promise<number> => {
      const request = { ...kind.identityOf(payload), payload, dueAt, priority, fresh, facts: { ...facts } };
      return store.enqueue(known(kind), request, now, kind.whileRunning);
    },
    /** Plans existing tasks, each at its time; waiting and running ones are left alone. */
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
    /** Background tasks of a scope planned for after a moment (ms), soonest first. */
    listPlanned: async <Payload, Facts>(
      kind: TaskKind<Payload, Facts>,
      scope: string,
      after: number,
      limit: number,
    ): Promise<Task<Payload, Facts>[]> =>
      (await store.listPlanned(kind.name, scope, after, limit)).map((task) => typed(kind, task)),
    /** Payloads of tasks in use that neither wait nor run; see `listStale` of the store. */
    listStale: async <Payload, Facts>(
      kind: TaskKind<Payload, Facts>,
      filter: Parameters<TaskStore["listStale"]>[1],
    ): Promise<Payload[]> =>
      (await store.listStale(kind.name, filter)).map((task) => typed(kind, task).payload),
    /** A task's record without enqueueing it; notes that what it is about is in use. */
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
    /** The task due longest; null for none. One that this release cannot read fails, for operators to see. */
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

/** @returns the task, or which fields are wrong, without their values. */
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
