import { type Connection, type Model, Schema } from "mongoose";
import { type LeaseFields, leaseFields, never } from "./lease.ts";

/** "person": somebody waits for it, so it goes first. */
export type TaskPriority = "person" | "background";

/** One of the queues whose heads tell when tasks of a kind are due, and which of its priorities are in it. */
export type TaskHead = { head: string; priorities: readonly TaskPriority[] };

/** A kind of task as the store has to know it: its name, and its queues, the one that goes first at the front. */
export type TaskQueues = { name: string; heads: readonly TaskHead[] };

/** Why the latest attempt failed: a code that pages translate, and a sentence for logs and as a fallback. */
export type TaskProblem = { code: string; text: string };

/** Whose a task is. */
export type TaskIdentity = {
  /** Unique within the kind. */
  key: string;
  /** Between which the queue is fair: a registration, or an environment of the classroom. */
  scope: string;
  /** With which LMS and course the task is erased; null for one that belongs to none. */
  registrationId: string | null;
  courseId: string | null;
};

/** A task as it is stored, one document for each (kind, key). It stays when it is done and says what came of it. */
export type StoredTask = TaskIdentity & {
  id: string;
  kind: string;
  priority: TaskPriority;
  /** When it is to be run (ms); null when nothing is planned. */
  dueAt: number | null;
  /** Runs since the last success or new beginning, the one under way included; a run that was given back is not one. */
  attempts: number;
  /** Runs that were begun since the last success: more than one means that an earlier one did not come to its end. */
  begun: number;
  /** How often it was wished for; whoever settles a run sees by it whether there was another wish meanwhile. */
  wishes: number;
  /** What the task is about, by the kind's schema. */
  payload: unknown;
  /** Progress, and what came of earlier runs, by the kind's schema. */
  facts: Record<string, unknown>;
  /** Beginning of the latest run (ms); null before the first. */
  startedAt: number | null;
  /** End of the latest run that was not given back, however it ended (ms); 0 before the first. */
  endedAt: number;
  /** End of the latest run that succeeded (ms); null before the first. */
  doneAt: number | null;
  /** When what the task is about was last in use (ms); 0 where nobody notes it. */
  activeAt: number;
  /** Null when the latest run did not fail, or something new was wished for since. */
  problem: TaskProblem | null;
  /** Whether a process holds it, or held it and was killed. */
  running: boolean;
};

export type TaskRow = Omit<StoredTask, "id" | "dueAt" | "running" | "facts"> &
  LeaseFields & {
    _id: string;
    facts?: Record<string, unknown>;
    dueAt: number;
    /** When it was wished for since it was claimed (ms); never when it was not. */
    wishedAt: number;
  };

/** What a task has before anything happened to it. */
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

/** The one collection of all tasks. */
export function taskModel(connection: Connection): Model<TaskRow> {
  const schema = new Schema<TaskRow>(
    {
      _id: { type: String, required: true },
      kind: { type: String, required: true },
      key: { type: String, required: true },
      scope: { type: String, required: true },
      registrationId: { type: String, default: null },
      courseId: { type: String, default: null },
      priority: { type: String, required: true },
      dueAt: { type: Number, required: true },
      attempts: { type: Number, required: true },
      begun: { type: Number, required: true },
      wishes: { type: Number, required: true },
      wishedAt: { type: Number, required: true },
      payload: { type: Schema.Types.Mixed, default: null },
      // Without a default: a wish may write some of them.
      facts: { type: Schema.Types.Mixed },
      startedAt: { type: Number, default: null },
      endedAt: { type: Number, required: true },
      doneAt: { type: Number, default: null },
      activeAt: { type: Number, required: true },
      problem: { type: Schema.Types.Mixed, default: null },
      ...leaseFields,
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ kind: 1, scope: 1, priority: 1, dueAt: 1 });
  schema.index({ kind: 1, dueAt: 1 });
  schema.index({ kind: 1, endedAt: 1 });
  schema.index({ kind: 1, activeAt: 1 });
  schema.index({ registrationId: 1, courseId: 1 });
  return connection.model<TaskRow>("Task", schema);
}

export function toTask({
  _id,
  leaseHolder,
  leaseUntil: _until,
  wishedAt: _wished,
  dueAt,
  facts,
  ...task
}: TaskRow): StoredTask {
  return {
    id: _id,
    ...task,
    dueAt: dueAt === never ? null : dueAt,
    facts: facts ?? {},
    running: leaseHolder !== null,
  };
}
