import { type Connection, type Model, Schema } from "mongoose";
import { type LeaseFields, leaseFields, never } from "./lease.ts";

/** "person": somebody waits for it, so it goes first. */
export type TaskPriority = "person" | "background";

/** A queue of a kind of task, and which of its priorities are in it. */
export type TaskHead = { head: string; priorities: readonly TaskPriority[] };

/** A kind of task for the store: its name, and its queues, first the one that goes first. */
export type TaskQueues = { name: string; heads: readonly TaskHead[] };

/** A code that pages translate, and a sentence for logs and as a fallback. */
export type TaskProblem = { code: string; text: string };

export type TaskIdentity = {
  /** Unique within the kind. */
  key: string;
  /** For fairness: a registration, or an environment of the classroom. */
  scope: string;
  /** The LMS and course with which the task is erased; null for one that belongs to none. */
  registrationId: string | null;
  courseId: string | null;
};

/** One document for each (kind, key). It stays when it is done, with its outcome. */
export type StoredTask = TaskIdentity & {
  id: string;
  kind: string;
  priority: TaskPriority;
  /** When it is to be run; null for not planned. */
  dueAt: number | null;
  /** Runs since the last success or new beginning, with the current one, without those given back. */
  attempts: number;
  /** Runs begun since the last success: more than one means that an earlier one did not come to its end. */
  begun: number;
  /** How often it was enqueued; at the end of a run it tells whether that happened meanwhile. */
  wishes: number;
  /** By the kind's schema. */
  payload: unknown;
  /** Progress, and results of earlier runs, by the kind's schema. */
  facts: Record<string, unknown>;
  /** Of the latest run; null before the first. */
  startedAt: number | null;
  /** Of the latest run that was not given back, however it ended; 0 before the first. */
  endedAt: number;
  /** End of the latest run that succeeded; null before the first. */
  doneAt: number | null;
  /** When what the task is about was last in use; 0 where nobody notes it. */
  activeAt: number;
  /** Null when the latest run did not fail, or it was enqueued since. */
  problem: TaskProblem | null;
  /** Whether a process holds it, or held it and was killed. */
  running: boolean;
};

export type TaskRow = Omit<StoredTask, "id" | "dueAt" | "running" | "facts"> &
  LeaseFields & {
    _id: string;
    facts?: Record<string, unknown>;
    dueAt: number;
    /** When it was enqueued since its claim (ms); never when it was not. */
    wishedAt: number;
  };

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
      // Without a default: enqueueing may write some of them.
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
