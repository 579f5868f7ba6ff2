import type { ItemOf, RowOf } from "../domain/record.ts";
import { taskId } from "../kernel/ids.ts";
import type { TaskPriority, taskRecord } from "../modules/operations/rules/records.ts";
import { never } from "./due-queue.ts";
import type { Records } from "./records.ts";

/** A queue of a kind of task, and the priorities in it. */
export type TaskHead = { head: string; priorities: readonly TaskPriority[] };

/** A kind of task as the store knows it: its name and its queues, in the order in which they are served. */
export type TaskQueues = { name: string; heads: readonly TaskHead[]; perScope?: number };

export type StoredTask = ItemOf<typeof taskRecord> & {
  /** When to run it; null if no run is planned. */
  dueAt: number | null;
  /** Progress and results of earlier runs, by the kind's schema. */
  facts: Record<string, unknown>;
  /** Whether a process has claimed it. That process may have been killed. */
  running: boolean;
};
export type TaskIdentity = Pick<StoredTask, "key" | "scope" | "registrationId" | "courseId">;

export const newTask = {
  priority: "background",
  attempts: 0,
  begun: 0,
  startedAt: null,
  endedAt: 0,
  doneAt: null,
  activeAt: 0,
  problem: null,
} as const;

/** Neither waits nor runs: done, or failed, even if it will be tried again. */
export const idle = { $or: [{ dueAt: never }, { problem: { $ne: null } }] };

export function toTask({
  _id,
  leaseHolder,
  leaseUntil: _until,
  wishedAt: _wished,
  dueAt,
  facts,
  ...task
}: RowOf<typeof taskRecord>): StoredTask {
  return {
    id: _id,
    ...task,
    dueAt: dueAt === never ? null : dueAt,
    facts: facts ?? {},
    running: leaseHolder !== null,
  };
}

export function createTaskLists(records: Records<typeof taskRecord>) {
  return {
    find: async (kind: string, key: string): Promise<StoredTask | null> => {
      const row = await records.row({ _id: taskId(kind, key) });
      return row === null ? null : toTask(row);
    },
    findMany: async (kind: string, keys: readonly string[]) =>
      keys.length === 0
        ? []
        : (await records.rows({ _id: { $in: keys.map((key) => taskId(kind, key)) } })).map(toTask),
    /** Tasks due at a moment (ms), including running ones. */
    countDue: (kind: string, at: number): Promise<number> => records.count({ kind, dueAt: { $lte: at } }),
    /** Tasks that wait or run, without failed ones that will be tried again. */
    countLeft: async (kind: string) =>
      (await records.count({ kind, dueAt: { $lt: never }, problem: null })) +
      (await records.count({
        kind,
        dueAt: { $lt: never },
        problem: { $ne: null },
        leaseHolder: { $ne: null },
      })),
    /** Tasks whose latest run ended since a moment (ms), by outcome. */
    countSince: async (kind: string, since: number): Promise<{ done: number; failed: number }> => ({
      done: await records.count({ kind, endedAt: { $gte: since }, problem: null }),
      failed: await records.count({ kind, endedAt: { $gte: since }, problem: { $ne: null } }),
    }),
    /** How many are due, and since when the oldest has been due (ms). */
    due: async (kind: string, now: number): Promise<{ number: number; since: number | null }> => {
      const oldest = await records.row({ kind, dueAt: { $lte: now } }, { sort: { dueAt: 1 } });
      return { number: await records.count({ kind, dueAt: { $lte: now } }), since: oldest?.dueAt ?? null };
    },
    /** Tasks in use since `activeSince` that neither wait nor run, and last ended before `endedBefore`. */
    listStale: async (
      kind: string,
      { activeSince, endedBefore, limit }: { activeSince: number; endedBefore: number; limit: number },
    ): Promise<StoredTask[]> => {
      const rows = await records.rows(
        { kind, activeAt: { $gte: activeSince }, endedAt: { $lt: endedBefore }, leaseHolder: null, ...idle },
        { limit },
      );
      return rows.map(toTask);
    },
    /** Background tasks of a scope that are planned after a moment (ms), soonest first. */
    listPlanned: async (kind: string, scope: string, after: number, limit: number): Promise<StoredTask[]> => {
      const planned = { kind, scope, priority: "background" as const, dueAt: { $gt: after, $lt: never } };
      return (await records.rows(planned, { sort: { dueAt: 1 }, limit })).map(toTask);
    },
    counts: async (kind: string, now: number) => {
      const failing = { kind, problem: { $ne: null } };
      const [waiting, running, failed, oldest, next] = await Promise.all([
        records.count({ kind, dueAt: { $lt: never }, problem: null, leaseUntil: { $lte: now } }),
        records.count({ kind, dueAt: { $lte: now }, leaseUntil: { $gt: now } }),
        records.count({ ...failing, leaseUntil: { $lte: now } }),
        records.row({ kind, dueAt: { $lte: now } }, { sort: { dueAt: 1 } }),
        records.row(failing, { sort: { dueAt: 1 } }),
      ]);
      const problem = next?.problem ?? null;
      return {
        /** Planned or due, and not failing. */
        waiting,
        running,
        /** Tasks whose latest run failed. */
        failing: failed,
        /** Since when the oldest has been due; null if none is. */
        oldestDueAt: oldest?.dueAt ?? null,
        /** The failed task that is tried next. `at` is null if none is tried automatically. */
        nextTry: next === null || problem === null ? null : { at: toTask(next).dueAt, problem },
      };
    },
  };
}
