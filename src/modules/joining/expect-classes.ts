import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import {
  couldBeBusy,
  type ExpectedClass,
  type QuietCourse,
  isBusy,
  isStillQuiet,
  latestBegins,
  rankOf,
  sessionEnd,
  sessionPlanId,
} from "./rules/expected-class.ts";
import type { AccountId } from "../../domain/account.ts";
import { messageOf, NamedError } from "../../kernel/errors.ts";
import { type ExpectedPeople, listExpected, type ListExpectedDeps } from "./list-expected.ts";
import { busyTtlMs, busyWindowMs, maxLeadMs, maxSessionAgeMs, sessionBatchSize } from "./rules/limits.ts";

export type ExpectClassesDeps = ListExpectedDeps &
  Pick<App, "courses" | "events" | "expectedClasses" | "queuePositions" | "clock" | "logger"> & {
    /** Courses that this process found not busy. */
    quietCourses: Map<string, QuietCourse>;
  };

const minuteMs = 60_000;
/** A little before the earliest begin, to know all classes that begin then. */
const horizonMs = maxLeadMs + 5 * minuteMs;

/** Accounts where `expectClasses` finds something: three questions, however many accounts there are. */
export async function accountsToExpect(
  { accounts, events, expectedClasses, queuePositions, clock }: ExpectClassesDeps & Pick<App, "accounts">,
  lookAt: "timetable" | "arrivals-too",
): Promise<readonly AccountId[]> {
  const all = accounts.ids();
  const now = clock.now();
  const found = await Promise.all([
    events.accountsUnplanned(all, { from: now - maxSessionAgeMs, to: now + horizonMs }),
    expectedClasses.accountsStarting(all, now, now + horizonMs),
    lookAt === "timetable" ? [] : queuePositions.accountsWithArrivals(all, now - busyWindowMs),
  ]);
  return [...new Set(found.flat())];
}

/**
 * Plans for sessions that begin soon and, where people have come, for courses that they walk into. Two or three small reads when
 * nothing has changed; repeating changes nothing. @returns whether there is more to plan.
 */
export async function expectClasses(
  deps: ExpectClassesDeps,
  environment: AccountId,
  lookAt: "timetable" | "arrivals-too" = "arrivals-too",
): Promise<boolean> {
  const more = await planSessions(deps, environment);
  if (lookAt === "arrivals-too") await planBusyCourses(deps, environment);
  await planBegins(deps, environment);
  return more;
}

async function planSessions(deps: ExpectClassesDeps, environment: AccountId): Promise<boolean> {
  const now = deps.clock.now();
  const within = { from: now - maxSessionAgeMs, to: now + horizonMs, limit: sessionBatchSize };
  const events = await deps.events.listUnplanned(environment, within);
  for (const event of events) {
    const { eventId, spaceId, startsAt, cancelled } = event;
    const over = startsAt === null || sessionEnd({ ...event, startsAt }) <= now;
    const courses =
      over || cancelled || spaceId === null ? [] : await deps.courses.findBySpace(environment, spaceId);
    for (const course of courses) {
      if (startsAt === null || spaceId === null) continue;
      await plan(deps, course, {
        id: sessionPlanId(course.id, eventId, startsAt),
        reason: { kind: "session", eventId, spaceId },
        startsAt,
        endsAt: sessionEnd({ ...event, startsAt }),
      });
    }
    await deps.events.markPlanned(event);
  }
  return events.length === sessionBatchSize;
}

async function planBusyCourses(deps: ExpectClassesDeps, environment: AccountId): Promise<void> {
  const now = deps.clock.now();
  for (const { people: arrived, ...key } of await deps.queuePositions.arrivalsSince(
    environment,
    now - busyWindowMs,
  )) {
    if (!couldBeBusy(arrived)) continue;
    const open = await deps.expectedClasses.listOpen(key, now);
    const busy = open.find(({ reason }) => reason.kind === "busy-door");
    if (busy !== undefined) await deps.expectedClasses.prolong(busy.id, now + busyTtlMs);
    // Its session's plan has begun and serves the course already.
    if (open.some(({ dueAt, reason }) => reason.kind === "busy-door" || dueAt <= now)) continue;
    if (isStillQuiet(deps.quietCourses.get(key.courseId), arrived, now)) continue;
    const course = await deps.courses.find(key.courseId);
    if (course === null) continue;
    const draft = {
      // One for each hour, so that processes that see this at the same time share a plan.
      id: `${course.id} busy ${Math.floor(now / (60 * minuteMs))}`,
      reason: { kind: "busy-door" },
      startsAt: now,
      endsAt: now + busyTtlMs,
    } as const;
    const people = await peopleOf(deps, course, draft);
    if (people !== null && isBusy({ ...people, arrived }))
      await expectClass(deps, course, draft, people.calls);
    else deps.quietCourses.set(key.courseId, { at: now, arrived });
  }
  for (const [courseId, { at }] of deps.quietCourses)
    if (now - at > busyWindowMs) deps.quietCourses.delete(courseId);
}

type Draft = Pick<ExpectedClass, "id" | "reason" | "startsAt" | "endsAt">;

async function plan(deps: ExpectClassesDeps, course: Course, draft: Draft): Promise<void> {
  const people = await peopleOf(deps, course, draft);
  if (people !== null) await expectClass(deps, course, draft, people.calls);
}

async function expectClass(
  deps: ExpectClassesDeps,
  course: Course,
  draft: Draft,
  calls: number,
): Promise<void> {
  const now = deps.clock.now();
  const begin = latestBegins([{ ...draft, calls, made: 0 }]).get(draft.id) ?? now;
  await deps.expectedClasses.open({
    ...draft,
    registrationId: course.registrationId,
    courseId: course.id,
    environment: course.environment,
    calls,
    dueAt: draft.reason.kind === "session" ? begin : now,
    rank: rankOf(draft, now),
  });
}

/** Null when the course's people may not enter at present. */
async function peopleOf(
  deps: ExpectClassesDeps,
  course: Course,
  draft: Draft,
): Promise<ExpectedPeople | null> {
  try {
    return await listExpected(deps, course, draft, deps.clock.now());
  } catch (thrown) {
    if (!(thrown instanceof NamedError)) throw thrown;
    deps.logger.info(
      { course: course.id, code: thrown.code, error: messageOf(thrown) },
      "a class is not expected",
    );
    return null;
  }
}

/** Classes that share the calls begin earlier than each would alone. */
async function planBegins(deps: ExpectClassesDeps, environment: AccountId): Promise<void> {
  const now = deps.clock.now();
  const coming = await deps.expectedClasses.listStarting(environment, now, now + horizonMs);
  const begins = latestBegins(coming);
  const moved = coming.flatMap(({ id, dueAt, begun }) => {
    const begin = begins.get(id) ?? dueAt;
    return begun || begin === dueAt ? [] : [{ id, dueAt: begin }];
  });
  await deps.expectedClasses.moveBegins(moved);
}
