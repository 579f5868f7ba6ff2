import { z } from "zod";
import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import {
  type AttendanceHistory,
  type AttendanceObservation,
  historyOfSameUser,
} from "../../domain/attendance.ts";
import { type ClassroomEvent, assumedLengthMs } from "../../domain/classroom-event.ts";
import { type Course, keyOfCourse } from "../../domain/course.ts";
import { goesOnFrom, isToGoOn, unfinishedOf, unfinishedSchema } from "../../domain/list-pages.ts";
import { isKnownIn } from "../../domain/person-scope.ts";
import { messageOf } from "../../kernel/errors.ts";
import { slicesOf } from "../../kernel/lists.ts";
import { refusal } from "../../kernel/refusal.ts";
import { retryPolicies, defineTask, type Task, type TaskResult } from "../../tasks/task-kind.ts";
import { runNextTask } from "../../tasks/run-task.ts";
import type { TaskQueue } from "../../tasks/task-queue.ts";
import { type AttendanceApp, type RecordedAttendance, recordMany } from "./record-attendance.ts";
import {
  endOf,
  gapQuietMs,
  hasOpenGap,
  isOpenGap,
  nextReading,
  type PolledAttendance,
  polledObservation,
  readingsAfterEnd,
} from "./rules/attendance-reading.ts";
import { identityOfSession, requestSessionMinutes, sessionOfTask } from "./session-minutes.ts";

/** `endedAt`: known or assumed (ms). */
const payload = sessionOfTask.extend({ endedAt: z.number() });

const facts = z.object({
  runs: z.number().default(0),
  /** When the classroom last answered (ms). */
  readAt: z.number().nullable().default(null),
  /** How many people were on the list then, and how many of them had news. */
  listed: z.number().default(0),
  news: z.number().default(0),
  /** When a message last showed a gap, which a reading must fill (ms). */
  gapSeenAt: z.number().nullable().default(null),
  unfinished: unfinishedSchema,
});

type SessionToRead = z.infer<typeof payload>;
type ReadingFacts = z.infer<typeof facts>;
type ReadingTask = Task<SessionToRead, ReadingFacts>;

/** Reads a session's attendance from the classroom. */
export const readAttendance = defineTask({
  name: "attendance-readings",
  queue: "readings",
  order: "person-first",
  payload,
  facts,
  identityOf: identityOfSession,
  retry: retryPolicies["attendance-readings"],
  whileRunning: "again",
});

/** Gaps in quick succession are noted once in this time (ms). */
const gapIntervalMs = 3_000;
/** How many readings of an LMS to plan at once; enough for a week's sessions. */
const maxPlanned = 10_000;

export function createAttendanceReadings(tasks: TaskQueue) {
  const { name } = readAttendance;
  const find = (environment: AccountId, eventId: string) =>
    tasks.find(readAttendance, { environment, eventId, registrationId: "", courseId: "", endedAt: 0 });
  return {
    find,
    /** Doesn't change an instructor's request. @param next Finds the next time (ms) from the last reading's; null for none. */
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
    /** Makes attendance be read once no further gap has been noticed for `gapQuietMs`. */
    enqueueForGap: async (of: SessionToRead, now: number): Promise<void> => {
      const task = await find(of.environment, of.eventId);
      const seenAt = task?.facts.gapSeenAt ?? null;
      // A due reading may be under way and may have asked the classroom already.
      if (seenAt !== null && now - seenAt < gapIntervalMs && (task?.dueAt ?? Infinity) > now) return;
      await tasks.enqueue(readAttendance, of, { now, dueAt: now + gapQuietMs, facts: { gapSeenAt: now } });
    },
    readSince: async (registrationId: string, endedSince: number, now: number): Promise<number> => {
      const planned = await tasks.listPlanned(readAttendance, registrationId, now, maxPlanned);
      const requested = planned.filter((task) => task.payload.endedAt >= endedSince);
      for (const task of requested) await tasks.enqueue(readAttendance, task.payload, { now });
      return requested.length;
    },
    /** How many readings are due, and since when the oldest has been due (ms). */
    due: (now: number) => tasks.store.due(name, now),
    countDue: (at: number): Promise<number> => tasks.store.countDue(name, at),
    countSince: (since: number) => tasks.store.countSince(name, since),
  };
}

export type ReadingsApp = Pick<App, "attendanceReadings" | "clock" | "courses" | "events" | "tasks" | "wake">;
export type ReadingWorkerApp = Omit<AttendanceApp, "classroomOf"> &
  Pick<App, "classroomOf" | "logger" | "tasks"> & { ending: AbortSignal };

/** How many sessions to plan at once; more wait for the next run. */
const plannedBatchSize = 200;
const maxBatches = 25;

/** Ended sessions whose readings aren't planned yet. */
export function listToPlan(
  { events, clock }: Pick<ReadingsApp, "events" | "clock">,
  limit: number,
): Promise<ClassroomEvent[]> {
  const now = clock.now();
  const [first] = readingsAfterEnd;
  return events.listUnread({ endedBy: now - first, startedBy: now - first - assumedLengthMs }, limit);
}

/** Plans readings of ended sessions. Each session stores whether that is done, so a crash loses none. @returns how many it planned */
export async function planReadings(app: ReadingsApp): Promise<number> {
  let planned = 0;
  for (let round = 0; round < maxBatches; round += 1) {
    const events = await listToPlan(app, plannedBatchSize);
    for (const event of events) await planOne(app, event);
    planned += events.length;
    if (events.length < plannedBatchSize) break;
  }
  return planned;
}

async function planOne(app: ReadingsApp, event: ClassroomEvent): Promise<void> {
  const endedAt = endOf(event);
  const course = event.courseId === null ? null : await app.courses.find(event.courseId);
  if (course !== null && endedAt !== null && event.ours !== true) {
    const { environment, eventId } = event;
    const of = { environment, eventId, ...keyOfCourse(course), endedAt };
    await app.attendanceReadings.plan(of, (readAt) => nextReading(endedAt, readAt));
    // Also for a session whose times changed, or that became known only now.
    await requestSessionMinutes(app, of);
  }
  await app.events.markReadingPlanned(event);
}

/** In milliseconds; long enough that a backlog takes at most half of the throttle. */
const pauseMs = 500;

export function readingStep(app: Omit<ReadingWorkerApp, "ending">) {
  return async (ending: AbortSignal) => {
    const read = await reconcileNext({ ...app, ending });
    if (read) await app.clock.sleep(pauseMs, ending).catch(() => undefined);
    return read;
  };
}

/**
 * Does the reading that has been due longest, requested ones first. One that a crash cut short is repeated, without effect on what it had
 * stored. @returns false if none is due
 */
export function reconcileNext(app: ReadingWorkerApp): Promise<boolean> {
  return runNextTask(app, readAttendance, {
    run: async (task) => {
      const without = isToGoOn(task.facts.unfinished) ? null : await withoutReading(app, task);
      return without ?? reconcileEvent(app, task);
    },
    failed: ({ payload, attempts }, thrown) => {
      const about = { event: payload.eventId, course: payload.courseId, attempts };
      app.logger.warn({ ...about, problem: messageOf(thrown) }, "attendance could not be read");
      // It is tried again when an instructor requests it, or at the next planned reading.
      return { givenUpUntil: nextReading(payload.endedAt, app.clock.now()) };
    },
  });
}

/**
 * Reads a session's attendance (GET /attendance/{event_id}) and applies news as webhooks are applied. People missing from an incomplete
 * list don't become absent, and no mark is undone. @throws the classroom client's errors.
 */
async function reconcileEvent(
  app: ReadingWorkerApp,
  { payload, facts, priority, begun }: ReadingTask,
): Promise<TaskResult<ReadingFacts>> {
  const { environment, eventId, courseId } = payload;
  const began = app.clock.now();
  let askedAt = began;
  const before = goesOnFrom(facts.unfinished, began);
  const reading = await app.classroomOf(environment).readAttendance(eventId, {
    priority: priority === "person" ? "instructor" : "background",
    signal: app.ending,
    from: before,
    onPermit: () => {
      askedAt = app.clock.now();
    },
  });
  const { entries: replies, more, failure } = reading;
  const course = await app.courses.find(payload.courseId);
  // After an interrupted reading, people with known facts may lack their grade.
  const changed =
    course === null || begun > 1 ? replies : await newsAmong(app, course, payload, replies, askedAt);
  await recordMany(
    app,
    changed.map((reply) => ({
      environment,
      eventId,
      userId: reply.userId,
      observation: (known: AttendanceHistory) => polledObservation(known, reply, askedAt),
    })),
  );
  const earlier = before === null ? { listed: 0, news: 0 } : facts;
  const [listed, news] = [earlier.listed + replies.length, earlier.news + changed.length];
  app.logger.info({ event: eventId, course: courseId, listed, news }, "attendance read from the classroom");
  const unfinished = unfinishedOf(more, before, began);
  const read = { listed, news, unfinished };
  // Pages before the failed one count, and the reading continues after them.
  if (failure !== null) return { nextAt: null, facts: read, failure };
  const goesOn = isToGoOn(unfinished);
  return {
    nextAt: goesOn ? app.clock.now() : nextReading(payload.endedAt, askedAt),
    facts: { ...read, runs: facts.runs + 1, readAt: askedAt },
    ...(goesOn ? {} : { factsUnlessEnqueued: { gapSeenAt: null } }),
  };
}

const usersPerRead = 200;

/** The replies that change what is stored. If webhooks came, there are hardly any. */
async function newsAmong(
  app: ReadingWorkerApp,
  course: Course,
  { environment, eventId }: SessionToRead,
  replies: readonly PolledAttendance[],
  askedAt: number,
): Promise<PolledAttendance[]> {
  const { registrationId, id } = course;
  const known = new Map(
    (await app.attendance.listOfEvent(registrationId, id, eventId)).map((one) => [one.personId, one.history]),
  );
  const personOf = new Map<string, { id: string; as?: "host" }>();
  for (const batch of slicesOf(replies, usersPerRead)) {
    const userIds = batch.map(({ userId }) => userId);
    const people = await app.people.listByApiUsers(environment, userIds);
    for (const { person, userId, role } of people)
      if (isKnownIn(person, course))
        personOf.set(userId, { id: person.id, ...(role === "host" ? { as: role } : {}) });
  }
  return replies.filter((reply) => {
    const person = personOf.get(reply.userId);
    const history = person === undefined ? undefined : known.get(person.id);
    if (person === undefined || history === undefined) return true;
    return polledObservation(historyOfSameUser(history, person), reply, askedAt) !== null;
  });
}

/** How long a page waits for the reading (ms), and how often it checks. */
const waitMs = 4_000;
const pollMs = 100;

/** "waiting": the classroom hasn't answered yet, and the reading continues. */
export const readAgainSchema = z.union([
  z.object({ kind: z.literal("read"), listed: z.number(), news: z.number(), unfinished: unfinishedSchema }),
  z.object({ kind: z.literal("failed"), problem: z.string() }),
  z.object({ kind: z.literal("waiting") }),
]);
export type ReadAgain = z.infer<typeof readAgainSchema>;

/** Requests a reading (stored, so a crash loses nothing) and waits a few seconds. @throws NamedError "session-unknown" if it isn't this course's */
export async function readAgain(app: ReadingsApp, course: Course, eventId: string): Promise<ReadAgain> {
  const { environment, id: courseId, registrationId } = course;
  const event = await app.events.find(environment, eventId);
  // A session made here from an unplanned class doesn't exist in the classroom.
  if (event === null || event.courseId !== courseId || event.ours === true) {
    throw refusal("session-unknown", { status: 404 });
  }
  const now = app.clock.now();
  const before = await app.attendanceReadings.find(environment, eventId);
  const endedAt = endOf(event) ?? now;
  await app.attendanceReadings.request({ environment, eventId, registrationId, courseId, endedAt }, now);
  app.wake(readAttendance);
  while (app.clock.now() - now < waitMs) {
    await app.clock.sleep(pollMs);
    const reading = await app.attendanceReadings.find(environment, eventId);
    const outcome = reading === null ? null : answerOf(reading, before?.facts.runs ?? 0);
    if (outcome !== null) return outcome;
  }
  return { kind: "waiting" };
}

function answerOf({ facts, problem, priority }: ReadingTask, runsBefore: number): ReadAgain | null {
  const { listed, news, unfinished, runs } = facts;
  // A long list is still being read.
  if (runs > runsBefore && !isToGoOn(unfinished)) return { kind: "read", listed, news, unfinished };
  return problem !== null && priority !== "person" ? { kind: "failed", problem: problem.text } : null;
}

/**
 * A webhook's previous status differs from ours, so a webhook was lost. Makes attendance be read after the burst, because webhooks overtake
 * each other.
 */
export async function noteGap(
  { attendanceReadings, clock }: Pick<App, "attendanceReadings" | "clock">,
  { course, event, history }: Extract<RecordedAttendance, { kind: "recorded" }>,
  observation: AttendanceObservation,
): Promise<void> {
  if (observation.previous === undefined || history === null || !isOpenGap(history, observation, null))
    return;
  const { environment, eventId } = event;
  const before = await attendanceReadings.find(environment, eventId);
  if (!isOpenGap(history, observation, before?.facts.readAt ?? null)) return;
  const { registrationId, id: courseId } = course;
  const now = clock.now();
  const endedAt = endOf(event) ?? now;
  await attendanceReadings.enqueueForGap({ environment, eventId, registrationId, courseId, endedAt }, now);
}

/** Drops a reading for a gap if the missing message has come. @returns null: ask the classroom; otherwise when it is due. */
async function withoutReading(
  app: Pick<App, "attendance" | "clock">,
  { payload, facts, priority, problem }: ReadingTask,
): Promise<TaskResult<ReadingFacts> | null> {
  const { endedAt, registrationId, courseId, eventId } = payload;
  const { gapSeenAt, readAt } = facts;
  const now = app.clock.now();
  const next = nextReading(endedAt, readAt);
  const isOnTimetable = next !== null && next <= now;
  if (gapSeenAt === null || priority === "person" || isOnTimetable || problem !== null) return null;
  const quietAt = gapSeenAt + gapQuietMs;
  if (now < quietAt) return { postponed: true, nextAt: quietAt };
  const records = await app.attendance.listOfEvent(registrationId, courseId, eventId);
  if (records.some(({ history }) => hasOpenGap(history, readAt))) return null;
  return { postponed: true, nextAt: next, factsUnlessEnqueued: { gapSeenAt: null } };
}
