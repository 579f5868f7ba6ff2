import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import { type AttendanceHistory, historyOfSameUser } from "../../domain/attendance.ts";
import { nextReading } from "./rules/attendance-reading.ts";
import type { Course } from "../../domain/course.ts";
import { goesOnFrom, isToGoOn, type UnfinishedList, unfinishedOf } from "../../domain/list-pages.ts";
import { type PolledAttendance, polledObservation } from "./rules/polled-attendance.ts";
import type { AccountId } from "../../domain/account.ts";
import { isKnownIn } from "../../domain/person-place.ts";
import { messageOf, type NamedError } from "../../kernel/errors.ts";
import { runNextTask } from "../../tasks/run-task.ts";
import type { TaskResult } from "../../tasks/task-kind.ts";
import {
  readAttendance,
  type ReadingFacts,
  type ReadingTask,
  type SessionToRead,
} from "./attendance-readings.ts";
import type { RecordAttendanceDeps } from "./record-attendance.ts";
import { withoutReading } from "./look-into-gap.ts";
import { recordMany } from "./record-many.ts";

export type ReconcileEventDeps = Omit<RecordAttendanceDeps, "classroomOf"> &
  Pick<App, "tasks" | "logger"> & {
    classroomOf: (environment: AccountId) => ClassroomClient;
    ending: AbortSignal;
  };

/**
 * The reading due longest, requested ones first. One cut short by a crash is repeated without effect on what it had
 * stored. @returns false when none is due.
 */
export function reconcileNext(deps: ReconcileEventDeps): Promise<boolean> {
  return runNextTask(deps, readAttendance, {
    run: (task) => outcomeOf(deps, task),
    failed: ({ payload, attempts }, thrown) => {
      const about = { event: payload.eventId, course: payload.courseId, attempts };
      deps.logger.warn({ ...about, problem: messageOf(thrown) }, "attendance could not be read");
      // Only a request or the next planned reading tries again.
      return { givenUpUntil: nextReading(payload.endedAt, deps.clock.now()) };
    },
  });
}

async function outcomeOf(deps: ReconcileEventDeps, task: ReadingTask): Promise<TaskResult<ReadingFacts>> {
  const { payload, facts } = task;
  const without = isToGoOn(facts.unfinished) ? null : await withoutReading(deps, task);
  if (without !== null) return without;
  const { askedAt, listed, news, unfinished, failure } = await reconcileEvent(deps, task);
  const about = { event: payload.eventId, course: payload.courseId };
  deps.logger.info({ ...about, listed, news }, "attendance read from the classroom");
  const read = { listed, news, unfinished };
  // Pages before the failed one are kept; the reading continues there.
  if (failure !== null) return { nextAt: null, facts: read, failure };
  const goesOn = isToGoOn(unfinished);
  return {
    nextAt: goesOn ? deps.clock.now() : nextReading(payload.endedAt, askedAt),
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
async function reconcileEvent(
  deps: ReconcileEventDeps,
  { payload, facts, priority, begun }: ReadingTask,
): Promise<{
  askedAt: number;
  listed: number;
  news: number;
  unfinished: UnfinishedList | null;
  failure: NamedError | null;
}> {
  const { environment, eventId } = payload;
  const began = deps.clock.now();
  let askedAt = began;
  const before = goesOnFrom(facts.unfinished, began);
  const {
    entries: replies,
    more,
    failure,
  } = await deps.classroomOf(environment).readAttendance(eventId, {
    priority: priority === "person" ? "instructor" : "background",
    signal: deps.ending,
    from: before,
    onPermit: () => {
      askedAt = deps.clock.now();
    },
  });
  const course = await deps.courses.find(payload.courseId);
  // After an interrupted reading known facts may lack their grade.
  const wanted =
    course === null || begun > 1 ? replies : await newsAmong(deps, course, payload, replies, askedAt);
  await recordMany(
    deps,
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

const batchSize = 200;

/** Leaves out people without news: nearly all, where webhooks came. In bulk. */
async function newsAmong(
  deps: ReconcileEventDeps,
  course: Course,
  { environment, eventId }: SessionToRead,
  replies: readonly PolledAttendance[],
  askedAt: number,
): Promise<PolledAttendance[]> {
  const { registrationId, id } = course;
  const known = new Map(
    (await deps.attendance.listOfEvent(registrationId, id, eventId)).map((one) => [
      one.personId,
      one.history,
    ]),
  );
  const personOf = new Map<string, { id: string; as?: "host" }>();
  for (let from = 0; from < replies.length; from += batchSize) {
    const userIds = replies.slice(from, from + batchSize).map(({ userId }) => userId);
    const people = await deps.people.listByApiUsers(environment, userIds);
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
