import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import { type AttendanceHistory, historyOfSameUser } from "../../domain/attendance.ts";
import { type AttendanceReading, nextReading, readingAfterFailure } from "./rules/attendance-reading.ts";
import type { Course } from "../../domain/course.ts";
import { goesOnFrom, isToGoOn, type UnfinishedList, unfinishedOf } from "../../domain/list-pages.ts";
import { type PolledAttendance, polledObservation } from "./rules/polled-attendance.ts";
import type { EnvironmentName } from "../../domain/registration.ts";
import { isKnownIn } from "../../domain/person-place.ts";
import { messageOf, NamedError } from "../../kernel/errors.ts";
import type { ReadingOutcome } from "./store/attendance-reading-store.ts";
import { claimLasts, withClaim } from "../../kernel/with-claim.ts";
import type { RecordAttendanceDeps } from "./record-attendance.ts";
import { withoutReading } from "./look-into-gap.ts";
import { recordMany } from "./record-many.ts";

export type ReconcileEventDeps = Omit<RecordAttendanceDeps, "classroomOf"> &
  Pick<App, "attendanceReadings" | "logger"> & {
    classroomOf: (environment: EnvironmentName) => ClassroomClient;
    /** Aborted when the process is to end. */
    ending: AbortSignal;
  };

/**
 * Claims the reading that is due longest, one an instructor waits for first, and takes over what the classroom answers.
 * A reading that a crash cut short is made again by whoever finds its claim run out; what it had stored changes nothing.
 * @returns false when none is due.
 */
export async function reconcileNext(deps: ReconcileEventDeps): Promise<boolean> {
  const holder = deps.ids.id("hold");
  const now = deps.clock.now();
  const reading = await deps.attendanceReadings.claimDue(holder, now, now + claimLasts);
  if (reading === null) return false;
  const outcome = await withClaim(
    deps,
    (until) => deps.attendanceReadings.extend(reading.id, holder, until),
    () => outcomeOf(deps, reading),
  );
  await deps.attendanceReadings.settle(reading, holder, outcome);
  return true;
}

async function outcomeOf(deps: ReconcileEventDeps, reading: AttendanceReading): Promise<ReadingOutcome> {
  const about = { event: reading.eventId, course: reading.courseId };
  try {
    const goesOn = isToGoOn(reading.unfinished ?? null);
    const without = goesOn ? null : await withoutReading(deps, reading);
    if (without !== null) return without;
    const { askedAt, listed, news, unfinished, failure } = await reconcileEvent(deps, reading);
    deps.logger.info({ ...about, listed, news }, "attendance read from the classroom");
    // What came before the page that failed has taken effect; the reading goes on from there.
    if (failure !== null) return { ...failed(deps, reading, failure), listed, news, unfinished };
    return {
      dueAt: isToGoOn(unfinished) ? deps.clock.now() : nextReading(reading.endedAt, askedAt),
      attempts: 0,
      runs: reading.runs + 1,
      readAt: askedAt,
      listed,
      news,
      problem: null,
      triedAt: deps.clock.now(),
      lookedIntoGap: !isToGoOn(unfinished),
      unfinished,
    };
  } catch (thrown) {
    if (deps.ending.aborted) return { dueAt: deps.clock.now() };
    return failed(deps, reading, thrown);
  }
}

function failed(
  deps: Pick<ReconcileEventDeps, "clock" | "logger">,
  reading: AttendanceReading,
  thrown: unknown,
): ReadingOutcome {
  const { eventId: event, courseId: course, attempts } = reading;
  const now = deps.clock.now();
  const problem = thrown instanceof NamedError ? thrown.message : `Unexpected: ${messageOf(thrown)}`;
  deps.logger.warn({ event, course, problem, attempts }, "attendance could not be read");
  return { dueAt: readingAfterFailure(reading, attempts, now), problem, triedAt: now };
}

/**
 * Reads a session's attendance (GET /attendance/{event_id}) and lets everything that is news take effect, by the very way
 * webhooks take.
 * An incomplete list says nothing of whom it leaves out: nobody is absent for that, and no mark is undone.
 * @returns when the classroom was asked for the first page (ms), how many people it listed and how many of them were news since the reading
 *   began with the first page, and what of the list was not read.
 * @throws the classroom client's errors.
 */
async function reconcileEvent(
  deps: ReconcileEventDeps,
  reading: AttendanceReading,
): Promise<{
  askedAt: number;
  listed: number;
  news: number;
  unfinished: UnfinishedList | null;
  failure: NamedError | null;
}> {
  const { environment, eventId } = reading;
  const began = deps.clock.now();
  let askedAt = began;
  const before = goesOnFrom(reading.unfinished, began);
  const {
    entries: replies,
    more,
    failure,
  } = await deps.classroomOf(environment).readAttendance(eventId, {
    priority: reading.urgency === "person" ? "instructor" : "background",
    signal: deps.ending,
    from: before,
    onPermit: () => {
      askedAt = deps.clock.now();
    },
  });
  const course = await deps.courses.find(reading.courseId);
  // After one that was cut short, what is known may still lack its grade.
  const wanted =
    course === null || reading.attempts > 1
      ? replies
      : await newsAmong(deps, course, reading, replies, askedAt);
  await recordMany(
    deps,
    wanted.map((reply) => ({
      environment,
      eventId,
      userId: reply.userId,
      observation: (known: AttendanceHistory) => polledObservation(known, reply, askedAt),
    })),
  );
  const earlier = before === null ? { listed: 0, news: 0 } : reading;
  return {
    askedAt,
    listed: earlier.listed + replies.length,
    news: earlier.news + wanted.length,
    unfinished: unfinishedOf(more, before, began),
    failure,
  };
}

const slice = 200;

/** Leaves out those about whom the answer says nothing new: nearly all, when webhooks have come. Read in bulk. */
async function newsAmong(
  deps: ReconcileEventDeps,
  course: Course,
  { environment, eventId }: AttendanceReading,
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
  for (let from = 0; from < replies.length; from += slice) {
    const userIds = replies.slice(from, from + slice).map(({ userId }) => userId);
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
