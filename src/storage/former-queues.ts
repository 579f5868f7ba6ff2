import { taskId } from "../kernel/task-id.ts";
import type { Connection } from "mongoose";
import { never } from "./lease.ts";
import type { FormerQueue, FormerTask } from "./former-row.ts";
import { attendanceReadingQueue } from "./former-attendance-readings.ts";
import { recordingReadingQueue } from "./former-recording-readings.ts";
import { rosterQueue } from "./former-rosters.ts";
import { storedCollection } from "./stored-collection.ts";
import { newTask, type TaskRow } from "./task-row.ts";
import { formerBatchSize } from "./limits.ts";

/** Every queue that became a kind of task since the last release. */
export const formerQueues: readonly FormerQueue[] = [
  recordingReadingQueue,
  attendanceReadingQueue,
  rosterQueue,
];

/**
 * Moves a former queue's records to the tasks, also done ones, for their results. May be killed and run again, beside a
 * process of the release before: its later writes are moved the next time, and its running work is done again, as after
 * a crash.
 * @param renew Called after every few hundred records.
 * @returns how many were moved.
 */
export async function moveFormerQueue(
  connection: Connection,
  { collection, kind, toTask }: FormerQueue,
  renew: () => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  const former = storedCollection(connection, collection);
  let moved = 0;
  for (let last = ""; ;) {
    const rows = await former
      .find({ _id: { $gt: last } }, { sort: { _id: 1 }, limit: formerBatchSize })
      .toArray();
    for (const row of rows) {
      await keepTask(connection, kind, toTask(row));
      // One that was written meanwhile stays, and is moved the next time.
      const { _id, dueAt, leaseUntil } = row;
      await former.deleteOne({ _id, dueAt, ...(leaseUntil === undefined ? {} : { leaseUntil }) });
      moved += 1;
      last = _id;
    }
    if (rows.length < formerBatchSize) return moved;
    await renew();
  }
}

async function keepTask(connection: Connection, kind: string, former: FormerTask): Promise<void> {
  const tasks = storedCollection<TaskRow>(connection, "tasks");
  const _id = taskId(kind, former.key);
  const row: Omit<TaskRow, "_id"> = {
    ...{ kind, registrationId: null, courseId: null, ...newTask },
    ...{ wishes: 0, wishedAt: never, leaseHolder: null, leaseUntil: 0 },
    ...former,
  };
  const kept = await tasks.updateOne({ _id }, { $setOnInsert: row }, { upsert: true });
  const { dueAt } = former;
  if (kept.matchedCount === 0 || dueAt >= never) return;
  // It is a task already, enqueued here or by a process of the release before: enqueued once more.
  await tasks.updateOne({ _id }, { $min: { dueAt, wishedAt: dueAt }, $inc: { wishes: 1 } });
}

export type FormerQueues = ReturnType<typeof createFormerQueues>;

export function createFormerQueues(connection: Connection) {
  return {
    /** Moves what processes of the release before have written since the update. @returns how many records. */
    move: async (): Promise<number> => {
      let moved = 0;
      for (const queue of formerQueues) moved += await moveFormerQueue(connection, queue);
      return moved;
    },
  };
}
