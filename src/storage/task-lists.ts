import { taskId } from "../kernel/task-id.ts";
import type { Model } from "mongoose";
import { never } from "./lease.ts";
import { type StoredTask, type TaskProblem, type TaskRow, toTask } from "./task-row.ts";

/** How a kind of task is doing. */
export type TaskCounts = {
  /** Planned or due, and not failing. */
  waiting: number;
  running: number;
  /** Whose latest run failed. */
  failing: number;
  /** Since when the one that is due longest is due (ms); null when none is. */
  oldestDueAt: number | null;
  /** Of those that failed, the one that is tried again first; `at` null: none is by itself. */
  nextTry: { at: number | null; problem: TaskProblem } | null;
};

/** Reading of tasks, which changes nothing. */
export function createTaskLists(model: Model<TaskRow>) {
  return {
    find: async (kind: string, key: string): Promise<StoredTask | null> => {
      const row = await model.findOne({ _id: taskId(kind, key) }).lean();
      return row === null ? null : toTask(row);
    },
    findMany: async (kind: string, keys: readonly string[]): Promise<StoredTask[]> =>
      keys.length === 0
        ? []
        : (await model.find({ _id: { $in: keys.map((key) => taskId(kind, key)) } }).lean()).map(toTask),
    /** How many are due at a moment (ms), those under way among them. */
    countDue: (kind: string, at: number): Promise<number> =>
      model.countDocuments({ kind, dueAt: { $lte: at } }).exec(),
    /** How many wait or run; those that failed and are to be tried again are left out. */
    countLeft: async (kind: string): Promise<number> =>
      (await model.countDocuments({ kind, dueAt: { $lt: never }, problem: null })) +
      (await model.countDocuments({
        kind,
        dueAt: { $lt: never },
        problem: { $ne: null },
        leaseHolder: { $ne: null },
      })),
    /** How many tasks' latest run has ended since a moment (ms), by how. */
    countSince: async (kind: string, since: number): Promise<{ done: number; failed: number }> => ({
      done: await model.countDocuments({ kind, endedAt: { $gte: since }, problem: null }),
      failed: await model.countDocuments({ kind, endedAt: { $gte: since }, problem: { $ne: null } }),
    }),
    /** How many are due, and since when the one that waits longest is (ms). */
    due: async (kind: string, now: number): Promise<{ number: number; since: number | null }> => {
      const oldest = await model
        .findOne({ kind, dueAt: { $lte: now } })
        .sort({ dueAt: 1 })
        .lean();
      return {
        number: await model.countDocuments({ kind, dueAt: { $lte: now } }),
        since: oldest?.dueAt ?? null,
      };
    },
    /** Some tasks in use since `activeSince` that neither wait nor run, and ended last before `endedBefore`. */
    listStale: async (
      kind: string,
      { activeSince, endedBefore, limit }: { activeSince: number; endedBefore: number; limit: number },
    ): Promise<StoredTask[]> => {
      const rows = await model
        .find({
          ...{ kind, activeAt: { $gte: activeSince }, endedAt: { $lt: endedBefore }, leaseHolder: null },
          $or: [{ dueAt: never }, { problem: { $ne: null } }],
        })
        .limit(limit)
        .lean();
      return rows.map(toTask);
    },
    /** Background tasks of a scope that are planned for after a moment (ms), the next ones first. */
    listPlanned: async (kind: string, scope: string, after: number, limit: number): Promise<StoredTask[]> => {
      const planned = { kind, scope, priority: "background" as const, dueAt: { $gt: after, $lt: never } };
      return (await model.find(planned).sort({ dueAt: 1 }).limit(limit).lean()).map(toTask);
    },
    /** How a kind is doing at a moment (ms). */
    counts: async (kind: string, now: number): Promise<TaskCounts> => {
      const failing = { kind, problem: { $ne: null } };
      const [waiting, running, failed, oldest, next] = await Promise.all([
        model.countDocuments({ kind, dueAt: { $lt: never }, problem: null, leaseUntil: { $lte: now } }),
        model.countDocuments({ kind, dueAt: { $lte: now }, leaseUntil: { $gt: now } }),
        model.countDocuments({ ...failing, leaseUntil: { $lte: now } }),
        model
          .findOne({ kind, dueAt: { $lte: now } })
          .sort({ dueAt: 1 })
          .lean(),
        model.findOne(failing).sort({ dueAt: 1 }).lean(),
      ]);
      const problem = next?.problem ?? null;
      return {
        ...{ waiting, running, failing: failed, oldestDueAt: oldest?.dueAt ?? null },
        nextTry: next === null || problem === null ? null : { at: toTask(next).dueAt, problem },
      };
    },
  };
}
