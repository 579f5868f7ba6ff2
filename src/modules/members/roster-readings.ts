import { z } from "zod";
import { retryPolicies } from "../../tasks/retry-policies.ts";
import { defineTask, type Task } from "../../tasks/task-kind.ts";
import type { TaskQueue } from "../../tasks/task-queue.ts";
import type { RosterSync } from "./rules/roster-sync.ts";

const payload = z.object({ registrationId: z.string(), courseId: z.string() });

const facts = z.object({
  listed: z.number().default(0),
  written: z.number().default(0),
  total: z.number().nullable().default(null),
});

export type CourseToList = z.infer<typeof payload>;
export type RosterFacts = z.infer<typeof facts>;
export type RosterTask = Task<CourseToList, RosterFacts>;

export const readRoster = defineTask({
  name: "rosters",
  order: "person-first",
  payload,
  facts,
  identityOf: ({ registrationId, courseId }) => ({
    ...{ key: courseId, scope: registrationId, registrationId, courseId },
  }),
  retry: retryPolicies.rosters,
  whileRunning: "serves",
});

export function rosterSyncOf({ id, payload, facts, ...task }: RosterTask): RosterSync {
  const { dueAt, priority, attempts, startedAt, endedAt, doneAt, activeAt, problem } = task;
  return {
    ...{ id, ...payload, ...facts, state: stateOf(task), dueAt, attempts },
    urgency: priority === "person" ? "person" : "round",
    ...{ startedAt, finishedAt: endedAt, doneAt, activeAt },
    ...{ problem: problem?.text ?? null, problemCode: problem?.code ?? null },
  };
}

function stateOf(task: Pick<RosterTask, "running" | "problem" | "dueAt" | "endedAt">): RosterSync["state"] {
  if (task.running) return "running";
  if (task.problem !== null) return "failed";
  if (task.dueAt !== null) return "waiting";
  return task.endedAt > 0 ? "done" : "idle";
}

export type RosterReadings = ReturnType<typeof createRosterReadings>;

export function createRosterReadings(tasks: TaskQueue) {
  const { name } = readRoster;
  return {
    kind: readRoster,
    open: async (of: CourseToList, now: number): Promise<RosterSync> =>
      rosterSyncOf(await tasks.open(readRoster, of, now)),
    find: async (registrationId: string, courseId: string): Promise<RosterSync | null> => {
      const task = await tasks.find(readRoster, { registrationId, courseId });
      return task === null ? null : rosterSyncOf(task);
    },
    request: async (of: CourseToList, now: number): Promise<void> => {
      await tasks.enqueue(readRoster, of, { now, priority: "person", fresh: true });
    },
    /** Courses opened since `activeSince` whose latest reading ended before `endedBefore`, without a next one. */
    listStale: (filter: {
      activeSince: number;
      endedBefore: number;
      limit: number;
    }): Promise<CourseToList[]> => tasks.listStale(readRoster, filter),
    /** Readings requested meanwhile are left alone. */
    schedule: (readings: readonly (CourseToList & { dueAt: number })[]): Promise<void> =>
      tasks.planIdle(
        readRoster,
        readings.map(({ dueAt, ...payload }) => ({ payload, dueAt })),
      ),
    /** The LMS can be asked again: readings that waited with one of these codes are due. */
    retryPaused: (registrationId: string, codes: readonly string[], now: number): Promise<number> =>
      tasks.retryFailed(readRoster, now, { registrationId, codes }),
    countDue: (at: number): Promise<number> => tasks.store.countDue(name, at),
    countLeft: (): Promise<number> => tasks.store.countLeft(name),
    countSince: (since: number) => tasks.store.countSince(name, since),
  };
}
