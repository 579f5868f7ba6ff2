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

/** The course whose roster is read. */
export type CourseToList = z.infer<typeof payload>;
/** How far a reading has come. */
export type RosterFacts = z.infer<typeof facts>;
export type RosterTask = Task<CourseToList, RosterFacts>;

/** Reads the LMS's list of people of a course, one task for each course. */
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

/** A task as those see it who know rosters. */
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

/** When rosters are read from LMSs, and what came of it. */
export function createRosterReadings(tasks: TaskQueue) {
  const { name } = readRoster;
  return {
    /** To wake its worker. */
    kind: readRoster,
    /** The record of a course, made when there is none; notes that the course is in use. */
    open: async (of: CourseToList, now: number): Promise<RosterSync> =>
      rosterSyncOf(await tasks.open(readRoster, of, now)),
    find: async (registrationId: string, courseId: string): Promise<RosterSync | null> => {
      const task = await tasks.find(readRoster, { registrationId, courseId });
      return task === null ? null : rosterSyncOf(task);
    },
    /** Somebody wants it read now; one that is under way serves them, too. */
    request: (of: CourseToList, now: number): Promise<void> =>
      tasks.enqueue(readRoster, of, { now, priority: "person", fresh: true }),
    /** Some courses opened since `activeSince` whose latest reading ended before `endedBefore` and is not to come. */
    listStale: (filter: {
      activeSince: number;
      endedBefore: number;
      limit: number;
    }): Promise<CourseToList[]> => tasks.listStale(readRoster, filter),
    /** Puts readings on the timetable, each at its time; those that were asked for meanwhile are left alone. */
    schedule: (readings: readonly (CourseToList & { dueAt: number })[]): Promise<void> =>
      tasks.planIdle(
        readRoster,
        readings.map(({ dueAt, ...payload }) => ({ payload, dueAt })),
      ),
    /** The LMS can be asked again: readings that waited for that are due now. @param codes Of what they waited for. */
    retryPaused: (registrationId: string, codes: readonly string[], now: number): Promise<number> =>
      tasks.retryFailed(readRoster, now, { registrationId, codes }),
    /** How many are due, those under way among them. */
    countDue: (at: number): Promise<number> => tasks.store.countDue(name, at),
    /** How many are waited for or under way; those that failed and are to be tried again are left out. */
    countLeft: (): Promise<number> => tasks.store.countLeft(name),
    /** How many courses' latest reading has ended since a moment (ms), by how. */
    countSince: (since: number) => tasks.store.countSince(name, since),
  };
}
