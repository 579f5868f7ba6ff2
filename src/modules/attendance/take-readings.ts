import type { AttendanceStore } from "./store/attendance-stores.ts";
import { wantSessionPresence } from "./session-minutes.ts";
import { slicesOf } from "../../kernel/lists.ts";
import { z } from "zod";
import type { App } from "../../app.ts";
import {
  type AttendanceHistory,
  type AttendanceObservation,
  historyOfSameUser,
} from "../../domain/attendance.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import { type Course, keyOfCourse } from "../../domain/course.ts";
import { goesOnFrom, isToGoOn, unfinishedOf } from "../../domain/list-pages.ts";
import { isKnownIn } from "../../domain/person-place.ts";
import type { Clock } from "../../kernel/clock.ts";
import { messageOf } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { runNextTask } from "../../tasks/run-task.ts";
import { type TaskResult, unfinishedSchema } from "../../tasks/task-kind.ts";
import {
  readAttendance,
  type ReadingFacts,
  readingOf,
  type ReadingTask,
  type SessionToRead,
} from "./attendance-readings.ts";
import { type AttendanceApp, type RecordedAttendance, recordMany } from "./record-attendance.ts";
import {
  assumedLength,
  type AttendanceReading,
  endOf,
  gapQuietMs,
  hasOpenGap,
  isOpenGap,
  nextReading,
  type PolledAttendance,
  polledObservation,
  readingsAfterEnd,
} from "./rules/attendance-reading.ts";

/** To plan and request readings. */
export type ReadingsApp = Pick<App, "attendanceReadings" | "clock" | "courses" | "events" | "tasks" | "wake">;
export type ReadingWorkerApp = Omit<AttendanceApp, "classroomOf"> &
  Pick<App, "classroomOf" | "logger" | "tasks"> & { ending: AbortSignal };

/** Sessions planned at once; more wait for the next run. */
const plannedBatchSize = 200;
const maxBatches = 25;

/** Ended sessions whose readings are not planned yet. */
export function listToPlan(
  { events, clock }: Pick<ReadingsApp, "events" | "clock">,
  limit: number,
): Promise<ClassroomEvent[]> {
  const now = clock.now();
  const [first] = readingsAfterEnd;
  return events.listUnread({ endedBy: now - first, startedBy: now - first - assumedLength }, limit);
}

/** Of ended sessions. Whether one is planned is stored with it: a crash loses none. @returns the number planned. */
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
    // Also of one whose times changed, or that became known only now.
    await wantSessionPresence(app, of);
  }
  await app.events.markReadingPlanned(event);
}

/** Milliseconds, so that a backlog takes at most half of the throttle. */
const pauseMs = 500;

export function readingStep(app: Omit<ReadingWorkerApp, "ending">) {
  return async (ending: AbortSignal) => {
    const read = await reconcileNext({ ...app, ending });
    if (read) await app.clock.sleep(pauseMs, ending).catch(() => undefined);
    return read;
  };
}

/**
 * The reading due longest, requested ones first. One cut short by a crash is repeated without effect on what it had
 * stored. @returns false when none is due.
 */
export function reconcileNext(app: ReadingWorkerApp): Promise<boolean> {
  return runNextTask(app, readAttendance, {
    run: (task) => outcomeOf(app, task),
    failed: ({ payload, attempts }, thrown) => {
      const about = { event: payload.eventId, course: payload.courseId, attempts };
      app.logger.warn({ ...about, problem: messageOf(thrown) }, "attendance could not be read");
      // Only a request or the next planned reading tries again.
      return { givenUpUntil: nextReading(payload.endedAt, app.clock.now()) };
    },
  });
}

async function outcomeOf(app: ReadingWorkerApp, task: ReadingTask): Promise<TaskResult<ReadingFacts>> {
  const { payload, facts } = task;
  const without = isToGoOn(facts.unfinished) ? null : await withoutReading(app, task);
  if (without !== null) return without;
  const { askedAt, listed, news, unfinished, failure } = await reconcileEvent(app, task);
  const about = { event: payload.eventId, course: payload.courseId };
  app.logger.info({ ...about, listed, news }, "attendance read from the classroom");
  const read = { listed, news, unfinished };
  // Pages before the failed one are kept; the reading continues there.
  if (failure !== null) return { nextAt: null, facts: read, failure };
  const goesOn = isToGoOn(unfinished);
  return {
    nextAt: goesOn ? app.clock.now() : nextReading(payload.endedAt, askedAt),
    facts: { ...read, runs: facts.runs + 1, readAt: askedAt },
    ...(goesOn ? {} : { factsUnlessWished: { gapSeenAt: null } }),
  };
}

/**
 * Reads a session's attendance (GET /attendance/{event_id}) and applies news as webhooks are applied. People missing
 * from an incomplete list are not absent, and no mark is undone.
 * @returns when the first page was requested (ms), the people listed, those with news since then, and what was not
 *   read.
 * @throws the classroom client's errors.
 */
async function reconcileEvent(app: ReadingWorkerApp, { payload, facts, priority, begun }: ReadingTask) {
  const { environment, eventId } = payload;
  const began = app.clock.now();
  let askedAt = began;
  const before = goesOnFrom(facts.unfinished, began);
  const {
    entries: replies,
    more,
    failure,
  } = await app.classroomOf(environment).readAttendance(eventId, {
    priority: priority === "person" ? "instructor" : "background",
    signal: app.ending,
    from: before,
    onPermit: () => {
      askedAt = app.clock.now();
    },
  });
  const course = await app.courses.find(payload.courseId);
  // After an interrupted reading known facts may lack their grade.
  const wanted =
    course === null || begun > 1 ? replies : await newsAmong(app, course, payload, replies, askedAt);
  await recordMany(
    app,
    wanted.map((reply) => ({
      environment,
      eventId,
      userId: reply.userId,
      observation: (known: AttendanceHistory) => polledObservation(known, reply, askedAt),
    })),
  );
  const earlier = before === null ? { listed: 0, news: 0 } : facts;
  return {
    askedAt,
    listed: earlier.listed + replies.length,
    news: earlier.news + wanted.length,
    unfinished: unfinishedOf(more, before, began),
    failure,
  };
}

const usersPerLookUp = 200;

/** Leaves out people without news: nearly all, where webhooks came. In bulk. */
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
  for (const some of slicesOf(replies, usersPerLookUp)) {
    const userIds = some.map(({ userId }) => userId);
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

/** Of a page (ms). */
const waitMs = 4_000;
const pollMs = 100;

/** "waiting": the classroom has not answered yet; the reading continues. */
export const readAgainSchema = z.union([
  z.object({ kind: z.literal("read"), listed: z.number(), news: z.number(), unfinished: unfinishedSchema }),
  z.object({ kind: z.literal("failed"), problem: z.string() }),
  z.object({ kind: z.literal("waiting") }),
]);
export type ReadAgain = z.infer<typeof readAgainSchema>;

/** Stored first; waits a few seconds. @throws NamedError "session-unknown" when it is not of this course. */
export async function readAgain(app: ReadingsApp, course: Course, eventId: string): Promise<ReadAgain> {
  const { environment, id: courseId, registrationId } = course;
  const event = await app.events.find(environment, eventId);
  // The classroom knows nothing of a session of ours.
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
    const outcome = reading === null ? null : answerOf(reading, before?.runs ?? 0);
    if (outcome !== null) return outcome;
  }
  return { kind: "waiting" };
}

function answerOf(reading: AttendanceReading, runsBefore: number): ReadAgain | null {
  const { listed, news, unfinished = null, runs, problem, urgency } = reading;
  // A long list is still being read.
  if (runs > runsBefore && !isToGoOn(unfinished)) return { kind: "read", listed, news, unfinished };
  return problem !== null && urgency === "timetable" ? { kind: "failed", problem } : null;
}

/**
 * A webhook's previous status differs from ours, so one was lost: has attendance read, once a burst has settled, as
 * webhooks overtake each other.
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
  if (!isOpenGap(history, observation, before?.readAt ?? null)) return;
  const { registrationId, id: courseId } = course;
  const now = clock.now();
  const endedAt = endOf(event) ?? now;
  await attendanceReadings.wantForGap({ environment, eventId, registrationId, courseId, endedAt }, now);
}

/** One for a gap is dropped when the missing message has come. @returns null: ask the classroom; else when it is due. */
async function withoutReading(
  app: { attendance: Pick<AttendanceStore, "listOfEvent">; clock: Clock },
  task: ReadingTask,
): Promise<TaskResult<ReadingFacts> | null> {
  const { gapSeenAt, urgency, endedAt, readAt, registrationId, courseId, eventId, problem } = readingOf(task);
  const now = app.clock.now();
  const next = nextReading(endedAt, readAt);
  const isOnTimetable = next !== null && next <= now;
  if (gapSeenAt === null || urgency === "person" || isOnTimetable || problem !== null) return null;
  const quietAt = gapSeenAt + gapQuietMs;
  if (now < quietAt) return { postponed: true, nextAt: quietAt };
  const records = await app.attendance.listOfEvent(registrationId, courseId, eventId);
  if (records.some(({ history }) => hasOpenGap(history, readAt))) return null;
  return { postponed: true, nextAt: next, factsUnlessWished: { gapSeenAt: null } };
}
