import type { ItemOf, RowOf } from "../domain/record.ts";
import type { TaskPriority, taskRecord } from "../modules/operations/rules/records.ts";
import { never } from "./lease.ts";

/** A queue of a kind of task, and which of its priorities are in it. */
export type TaskHead = { head: string; priorities: readonly TaskPriority[] };

/** A kind of task for the store: its name, and its queues, first the one that goes first. */
export type TaskQueues = { name: string; heads: readonly TaskHead[] };

export type StoredTask = ItemOf<typeof taskRecord> & {
  /** When it is to be run; null for not planned. */
  dueAt: number | null;
  /** Progress, and results of earlier runs, by the kind's schema. */
  facts: Record<string, unknown>;
  /** Whether a process holds it, or held it and was killed. */
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

/** Neither waits nor runs: done, or failed, even if that is tried again. */
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
