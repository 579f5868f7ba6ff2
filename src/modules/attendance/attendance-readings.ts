import { z } from "zod";
import type { AccountId } from "../../domain/account.ts";
import { retryPolicies } from "../../tasks/retry-policies.ts";
import { defineTask, type Task, unfinishedSchema } from "../../tasks/task-kind.ts";
import type { TaskQueue } from "../../tasks/task-queue.ts";
import { type AttendanceReading, gapQuietMs } from "./rules/attendance-reading.ts";

const payload = z.object({
  environment: z.string(),
  eventId: z.string(),
  registrationId: z.string(),
  courseId: z.string(),
  endedAt: z.number(),
});

const facts = z.object({
  runs: z.number().default(0),
  readAt: z.number().nullable().default(null),
  listed: z.number().default(0),
  news: z.number().default(0),
  gapSeenAt: z.number().nullable().default(null),
  unfinished: unfinishedSchema,
});

export type SessionToRead = z.infer<typeof payload>;
export type ReadingFacts = z.infer<typeof facts>;
export type ReadingTask = Task<SessionToRead, ReadingFacts>;

const keyOf = (environment: AccountId, eventId: string): string => `${environment}:${eventId}`;

/** Reads a session's attendance from the classroom, one task for each (environment, event). */
export const readAttendance = defineTask({
  name: "attendance-readings",
  queue: "readings",
  order: "person-first",
  payload,
  facts,
  identityOf: ({ environment, eventId, registrationId, courseId }) => ({
    ...{ key: keyOf(environment, eventId), scope: registrationId, registrationId, courseId },
  }),
  retry: retryPolicies["attendance-readings"],
  whileRunning: "again",
});

export function readingOf({ id, payload, facts, ...task }: ReadingTask): AttendanceReading {
  const { priority, dueAt, attempts, problem } = task;
  const urgency = priority === "person" ? "person" : "timetable";
  return { id, ...payload, ...facts, urgency, dueAt, attempts, problem: problem?.text ?? null };
}

/** Gaps in quick succession are noted once in this time (ms). */
const gapIntervalMs = 3_000;
/** Readings of an LMS planned at once: those of a week's sessions. */
const maxPlanned = 10_000;

export function createAttendanceReadings(tasks: TaskQueue) {
  const { name } = readAttendance;
  const find = async (environment: AccountId, eventId: string): Promise<ReadingTask | null> => {
    const place = { registrationId: "", courseId: "", endedAt: 0 };
    return tasks.find(readAttendance, { environment, eventId, ...place });
  };
  return {
    find: async (environment: AccountId, eventId: string): Promise<AttendanceReading | null> => {
      const task = await find(environment, eventId);
      return task === null ? null : readingOf(task);
    },
    /** An instructor's request is left as it is. @param next The next time (ms), from the last reading's; null for none. */
    plan: async (of: SessionToRead, next: (readAt: number | null) => number | null): Promise<void> => {
      for (;;) {
        const task = await find(of.environment, of.eventId);
        if (task === null) {
          const dueAt = next(null);
          if (dueAt === null) await tasks.open(readAttendance, of, 0);
          else await tasks.enqueue(readAttendance, of, { now: dueAt, dueAt });
          return;
        }
        const { endedAt, courseId } = task.payload;
        if (endedAt === of.endedAt && courseId === of.courseId) return;
        const dueAt = task.priority === "person" ? undefined : next(task.facts.readAt);
        if (await tasks.replan(readAttendance, task, of, dueAt)) return;
      }
    },
    request: async (of: SessionToRead, now: number): Promise<void> => {
      await tasks.enqueue(readAttendance, of, { now, priority: "person" });
    },
    /** Reads once no further gap has come for a while. */
    wantForGap: async (of: SessionToRead, now: number): Promise<void> => {
      const task = await find(of.environment, of.eventId);
      const seenAt = task?.facts.gapSeenAt ?? null;
      // A due one may have asked the classroom already.
      if (seenAt !== null && now - seenAt < gapIntervalMs && (task?.dueAt ?? Infinity) > now) return;
      await tasks.enqueue(readAttendance, of, { now, dueAt: now + gapQuietMs, facts: { gapSeenAt: now } });
    },
    readSince: async (registrationId: string, endedSince: number, now: number): Promise<number> => {
      const planned = await tasks.listPlanned(readAttendance, registrationId, now, maxPlanned);
      const wanted = planned.filter((task) => task.payload.endedAt >= endedSince);
      for (const task of wanted) await tasks.enqueue(readAttendance, task.payload, { now });
      return wanted.length;
    },
    /** Their number, and since when the longest waiting one is due (ms). */
    due: (now: number) => tasks.store.due(name, now),
    countDue: (at: number): Promise<number> => tasks.store.countDue(name, at),
    countSince: (since: number) => tasks.store.countSince(name, since),
  };
}
