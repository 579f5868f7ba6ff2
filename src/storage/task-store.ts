import { taskId } from "../kernel/ids.ts";
import type { Connection } from "mongoose";
import { type DueRange, dueHeadsOf } from "./due-heads.ts";
import { longerLease, never, released } from "./due-queue.ts";
import {
  createTaskLists,
  idle,
  newTask,
  type StoredTask,
  type TaskHead,
  type TaskIdentity,
  type TaskQueues,
  toTask,
} from "./task-lists.ts";
import { maxRetriedTasks } from "./limits.ts";
import { openRecords } from "./records.ts";
import { type TaskPriority, type TaskProblem, taskRecord } from "../modules/operations/rules/records.ts";

export type EnqueueRequest = TaskIdentity & {
  payload: unknown;
  dueAt: number;
  priority: TaskPriority;
  facts?: Record<string, unknown>;
  fresh?: boolean;
};

export type TaskEnd = {
  /** "given-back": the process ends, and another one starts the task again. "postponed": nothing was tried, because it was too early. */
  how: "done" | "failed" | "given-back" | "postponed";
  /** The next run; null for none. Enqueueing since the claim may bring it forward. */
  dueAt: number | null;
  at: number;
  problem?: TaskProblem | null;
  facts?: Record<string, unknown>;
  factsUnlessEnqueued?: Record<string, unknown>;
  /** Nothing was tried for this task, so the attempt doesn't count. */
  uncounted?: boolean;
  /** The task keeps its priority; otherwise it moves to the background. */
  staysFirst?: boolean;
};

type Claimed = Pick<StoredTask, "id" | "kind" | "scope" | "wishes">;
export type TaskStore = ReturnType<typeof createTaskStore>;

/**
 * Tasks of all kinds (record 0010), each claimed by one atomic operation. Heads (`due-heads.ts`) say which scope of which kind has work,
 * so idle kinds cost nothing and scopes take turns.
 */
export function createTaskStore(connection: Connection) {
  const records = openRecords(connection, taskRecord);
  const lists = createTaskLists(records);
  const byKind = new Map<string, { kind: TaskQueues; queues: ReturnType<typeof openQueue>[] }>();

  function openQueue(kind: string, { head, priorities }: TaskHead) {
    const first = async (scope: string, dueAt: DueRange) => {
      const rows = await Promise.all(
        priorities.map((priority) => records.row({ kind, scope, priority, dueAt }, { sort: { dueAt: 1 } })),
      );
      return rows.reduce((one, other) =>
        one === null || (other !== null && other.dueAt < one.dueAt) ? other : one,
      );
    };
    return { priorities, queue: dueHeadsOf(connection).taskQueue(head, first) };
  }
  const queuesOf = (kind: string) => {
    const known = byKind.get(kind);
    if (known === undefined) throw new Error(`There is no kind of task called ${kind}.`);
    return known.queues;
  };
  const queueOf = (kind: string, priority: TaskPriority) => {
    const found = queuesOf(kind).find(({ priorities }) => priorities.includes(priority));
    if (found === undefined) throw new Error(`Tasks of the kind ${kind} have no priority ${priority}.`);
    return found.queue;
  };

  const take = (kind: string, scope: string, priority: TaskPriority, claim: Claim) =>
    records.take(
      { kind, scope, priority, dueAt: { $lte: claim.now }, leaseUntil: { $lte: claim.now } },
      {
        $set: { leaseHolder: claim.holder, leaseUntil: claim.until, startedAt: claim.now, wishedAt: never },
        // Counted at the claim, so a task that crashes its process isn't tried forever.
        $inc: { attempts: 1, begun: 1 },
      },
      { sort: { dueAt: 1 } },
    );

  return {
    ...lists,
    kinds: (): TaskQueues[] => [...byKind.values()].map(({ kind }) => kind),
    /** Makes a kind known and opens its queues. May be repeated. */
    register: (kind: TaskQueues): void => {
      if (byKind.has(kind.name)) return;
      byKind.set(kind.name, { kind, queues: kind.heads.map((head) => openQueue(kind.name, head)) });
    },
    /**
     * Creates a task or brings it forward.
     * @param whileRunning "serves": a run under way is enough.
     * @returns when it is due at the latest (ms); for a running task, when that run was due.
     */
    enqueue: async (
      kind: string,
      request: EnqueueRequest,
      now: number,
      whileRunning: "again" | "serves" = "again",
    ): Promise<number> => {
      const _id = taskId(kind, request.key);
      const known = await records.row({ _id });
      if (whileRunning === "serves" && known !== null && known.leaseUntil > now) return known.dueAt;
      const update = enqueueUpdate(kind, request, known?.dueAt === never);
      // Its scope may have changed since the caller read it.
      await queueOf(kind, request.priority).announced(known?.scope ?? request.scope, request.dueAt, () =>
        records.save({ _id }, update),
      );
      return Math.min(known?.dueAt ?? never, request.dueAt);
    },
    /** Plans existing tasks in the background. Tasks that wait or run already aren't changed. */
    planIdle: async (kind: string, plans: readonly { key: string; dueAt: number }[]): Promise<void> => {
      if (plans.length === 0) return;
      const rows = await records.some(["scope", "key"], {
        _id: { $in: plans.map(({ key }) => taskId(kind, key)) },
      });
      const scopeOf = new Map(rows.map(({ key, scope }) => [key, scope]));
      for (const scope of new Set(scopeOf.values())) {
        const own = plans.filter(({ key }) => scopeOf.get(key) === scope);
        const writes = own.map(({ key, dueAt }) => ({
          filter: { _id: taskId(kind, key), leaseHolder: null, ...idle },
          update: { $set: { dueAt, priority: "background" as const, attempts: 0, problem: null } },
        }));
        const first = Math.min(...own.map(({ dueAt }) => dueAt));
        await queueOf(kind, "background").announced(scope, first, () => records.changeEach(writes));
      }
    },
    /** Creates a task's record without enqueueing it, and notes that its subject is in use. */
    open: async (
      kind: string,
      { payload, ...identity }: TaskIdentity & { payload: unknown },
      activeAt: number,
    ): Promise<StoredTask> => {
      const _id = taskId(kind, identity.key);
      const { activeAt: _none, ...first } = newTask;
      const idleTask = { ...first, dueAt: never, wishedAt: never, wishes: 0, ...released };
      const row = await records.saved(
        { _id },
        { $max: { activeAt }, $setOnInsert: { kind, ...identity, payload, facts: {}, ...idleTask } },
      );
      return toTask(row);
    },
    /**
     * Changes a task's payload, and when it runs (unchanged without `dueAt`).
     * @returns false if it was enqueued or changed since it was read.
     */
    replan: async (
      { id, kind, wishes, priority, scope }: Claimed & Pick<StoredTask, "priority">,
      { payload, ...identity }: Omit<TaskIdentity, "key"> & { payload: unknown },
      dueAt?: number | null,
    ): Promise<boolean> => {
      const at = dueAt === null ? never : dueAt;
      const due = at === undefined ? {} : { dueAt: at, wishedAt: at };
      const write = () =>
        records.change({ _id: id, wishes }, { $set: { ...identity, payload, ...due }, $inc: { wishes: 1 } });
      // A task that moves to another scope must be found there, whenever it is due.
      const from = identity.scope === scope ? (at ?? never) : 0;
      return queueOf(kind, priority).announced(identity.scope, from, write);
    },
    /** Claims the task of a kind that has been due longest, in the scope whose turn it is; null if there is none. */
    claim: async (kind: string, claim: Claim): Promise<StoredTask | null> => {
      const perScope = byKind.get(kind)?.kind.perScope ?? null;
      const priority = { $in: queuesOf(kind).flatMap(({ priorities }) => priorities) };
      const running = { kind, priority, dueAt: { $lte: claim.now }, leaseUntil: { $gt: claim.now } };
      const pass = async (scope: string) =>
        perScope === null || (await records.count({ ...running, scope })) < perScope ? null : "busy";
      for (const { queue, priorities } of queuesOf(kind)) {
        const row = await queue.claim(claim.now, {
          pass,
          take: async (scope) => {
            for (const priority of priorities) {
              const taken = await take(kind, scope, priority, claim);
              if (taken !== null) return taken;
            }
            return null;
          },
        });
        if (row !== null) return toTask(row);
      }
      return null;
    },
    /** Has no effect on a lost claim. */
    extend: (id: string, holder: string, until: number) => records.change(...longerLease(id, holder, until)),
    /** Stores facts of a claimed task. @returns how often it was enqueued; null if the claim was lost. */
    progress: async (id: string, holder: string, facts: Record<string, unknown>): Promise<number | null> => {
      const row = await records.take({ _id: id, leaseHolder: holder }, { $set: factsAt(facts) });
      return row?.wishes ?? null;
    },
    /** Ends a run, unless its claim was lost. If the task was enqueued since the claim, it runs again when that request asked for. */
    settle: async ({ id, kind, scope, wishes }: Claimed, holder: string, end: TaskEnd): Promise<void> => {
      const claimed = { _id: id, leaseHolder: holder };
      const ended = endedAs(end);
      const quiet = { ...factsAt(end.factsUnlessEnqueued ?? {}), ...nextAt(end) };
      const done = await records.take(
        { ...claimed, wishes },
        { ...ended, $set: { ...ended.$set, ...quiet } },
      );
      if (done !== null) {
        if (done.dueAt < never) await queueOf(kind, done.priority).givenBack(scope, done.dueAt);
        return;
      }
      for (;;) {
        const row = await records.row(claimed);
        if (row === null) return;
        const dueAt = end.how === "given-back" ? row.dueAt : Math.min(end.dueAt ?? never, row.wishedAt);
        const written = await records.change(
          { ...claimed, wishes: row.wishes },
          { ...ended, $set: { ...ended.$set, dueAt, wishedAt: never } },
        );
        if (!written) continue;
        await queueOf(kind, row.priority).givenBack(row.scope, dueAt);
        return;
      }
    },
    /**
     * Makes failed tasks run now.
     * @param of Only tasks of this LMS that failed for one of these reasons and will be tried again.
     * @returns how many.
     */
    retryFailed: async (
      kind: string,
      now: number,
      of?: { registrationId: string; codes: readonly string[] },
    ): Promise<number> => {
      const failed = {
        kind,
        dueAt: { $gt: now, ...(of === undefined ? {} : { $lt: never }) },
        problem: { $ne: null },
        leaseUntil: { $lte: now },
        ...(of === undefined ? {} : { registrationId: of.registrationId, "problem.code": { $in: of.codes } }),
      };
      const places = await records.some(["scope", "priority"], failed, { limit: maxRetriedTasks });
      // Waiting for their LMS wasn't a failed attempt.
      const restarted = of === undefined ? { attempts: 0 } : {};
      let retried = 0;
      for (const scope of new Set(places.map((row) => row.scope)))
        for (const { priorities, queue } of queuesOf(kind)) {
          const own = { ...failed, scope, priority: { $in: priorities } };
          if (!places.some((row) => row.scope === scope && priorities.includes(row.priority))) continue;
          retried += await queue.announced(scope, now, () =>
            records.changeAll(own, { $set: { dueAt: now, ...restarted } }),
          );
        }
      return retried;
    },
  };
}

type Claim = { holder: string; now: number; until: number };

const factsAt = (facts: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(facts).map(([name, fact]) => [`facts.${name}`, fact]));

/** @param givenUp No run was planned: enqueueing starts over after a final failure. */
function enqueueUpdate(kind: string, request: EnqueueRequest, givenUp: boolean) {
  const { key, scope, registrationId, courseId, payload, dueAt, priority, facts = {} } = request;
  const { priority: _p, attempts: _a, problem: _problem, ...first } = newTask;
  const isFresh = request.fresh === true;
  const restarted = { ...(isFresh || givenUp ? { attempts: 0 } : {}), ...(isFresh ? { problem: null } : {}) };
  const ofPerson = priority === "person" ? { priority } : {};
  const inserted = {
    kind,
    key,
    scope,
    registrationId,
    courseId,
    payload,
    ...first,
    ...released,
    ...(priority === "person" ? {} : { priority }),
    ...("attempts" in restarted ? {} : { attempts: 0 }),
    ...(isFresh ? {} : { problem: null }),
  };
  return {
    $min: { dueAt, wishedAt: dueAt },
    $inc: { wishes: 1 },
    $set: { ...restarted, ...ofPerson, ...factsAt(facts) },
    $setOnInsert: inserted,
  };
}

function endedAs({ how, at, problem = null, facts = {}, uncounted = false }: TaskEnd) {
  const isAttempt = how !== "postponed" && how !== "given-back" && !uncounted;
  const begun = how === "postponed" ? { begun: -1 } : {};
  const uncount = isAttempt ? {} : { $inc: { attempts: -1, ...begun } };
  const outcome = {
    done: { attempts: 0, begun: 0, problem: null, endedAt: at, doneAt: at },
    failed: { problem, endedAt: at },
    "given-back": {},
    postponed: {},
  }[how];
  return { $set: { ...outcome, ...factsAt(facts), ...released }, ...uncount };
}

/** A run that was given back keeps its state. */
function nextAt({ how, dueAt, staysFirst = false }: TaskEnd) {
  if (how === "given-back") return {};
  const due = { dueAt: dueAt ?? never, wishedAt: never };
  return staysFirst ? due : { ...due, priority: "background" as const };
}
