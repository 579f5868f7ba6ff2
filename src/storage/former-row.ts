import { z } from "zod";
import type { StoredDocument } from "./stored-collection.ts";
import type { TaskProblem, TaskRow } from "./task-row.ts";

/** A former queue's record as a task; what is left out is as in a new task. */
export type FormerTask = Pick<TaskRow, "key" | "scope" | "payload" | "facts" | "dueAt"> &
  Partial<Omit<TaskRow, "_id" | "kind">>;

/** A queue that earlier releases kept in a collection of its own. */
export type FormerQueue = {
  collection: string;
  kind: string;
  /** @throws when the record is none of that queue's. */
  toTask: (row: StoredDocument) => FormerTask;
};

/** Fields of all former queues. */
export const formerWork = z.object({
  dueAt: z.number(),
  attempts: z.number(),
  leaseHolder: z
    .string()
    .nullish()
    .transform((holder) => holder ?? null),
  leaseUntil: z.number(),
  problem: z.string().nullish(),
  problemCode: z.string().nullish(),
});

/** A sentence, and since some release its code. */
export function formerProblem({
  problem,
  problemCode,
}: Pick<z.infer<typeof formerWork>, "problem" | "problemCode">): TaskProblem | null {
  return problem == null ? null : { code: problemCode ?? "unexpected", text: problem };
}
