import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { UnassignedEvent, UnmatchedAttendance, UserMatch } from "./rules/unmatched.ts";
import { messageOf } from "../../kernel/errors.ts";
import { type RecordAttendanceDeps, recordMany } from "../attendance/record-attendance.ts";
import { gradeMember } from "../grading/grade-members.ts";
import { leaseMs, withClaim } from "../../kernel/with-claim.ts";
import { lookAgainFor, type LookAgainDeps } from "../unplanned/look-again.ts";
import { takeBackEvent } from "./take-back-event.ts";

export type ApplyMatchesDeps = RecordAttendanceDeps &
  LookAgainDeps &
  Pick<App, "onSessionsChanged" | "onMatchable" | "logger">;

/** Records of one user or event: a thousand sessions, or a very large one. */
const maxReceipts = 5_000;
const retryAfterMs = 30_000;

/** Claims an answer and applies it to earlier reports. Repeatable, also after a crash. @returns false for none. */
export async function applyNextMatch(deps: ApplyMatchesDeps): Promise<boolean> {
  return (await applyNextUser(deps)) || (await applyNextEvent(deps));
}

async function applyNextUser(deps: ApplyMatchesDeps): Promise<boolean> {
  const { userMatches, clock } = deps;
  const holder = deps.ids.id("hold");
  const now = clock.now();
  const match = await userMatches.claimDue(holder, now, now + leaseMs);
  if (match === null) return false;
  try {
    await withClaim(
      deps,
      { until: now + leaseMs, extend: (until) => userMatches.extend(match.id, holder, until) },
      async () => {
        await (match.state === "holds" ? applyUser(deps, match) : takeBackUser(deps, match));
        await lookAgainFor(deps, match);
      },
    );
    await userMatches.applied(match, holder);
  } catch (thrown) {
    deps.logger.warn({ match: match.id, error: messageOf(thrown) }, "a match could not be applied yet");
    await userMatches.postpone(match.id, holder, clock.now() + retryAfterMs);
  }
  return true;
}

async function applyUser(deps: ApplyMatchesDeps, match: UserMatch): Promise<void> {
  const unmatchedOnes = await deps.unmatchedAttendance.listOfUser(
    match.environment,
    match.userId,
    maxReceipts,
  );
  await recordAll(deps, unmatchedOnes);
  await deps.onMatchable({ kind: "user", environment: match.environment, id: match.userId });
}

/** Instructors' corrections stay. */
async function takeBackUser(deps: ApplyMatchesDeps, match: UserMatch): Promise<void> {
  const unmatchedOnes = await deps.unmatchedAttendance.listOfUser(
    match.environment,
    match.userId,
    maxReceipts,
  );
  const courses = new Map<string, Course>();
  for (const { courseId, eventId, history } of unmatchedOnes) {
    const course = courseId === null ? null : (courses.get(courseId) ?? (await deps.courses.find(courseId)));
    if (course === null) continue;
    if (course.registrationId !== match.registrationId || course.deploymentId !== match.deploymentId)
      continue;
    courses.set(course.id, course);
    const { registrationId, id } = course;
    await deps.attendance.takeBack(
      { registrationId, courseId: id, eventId, personId: match.personId },
      history,
    );
  }
  const person = await deps.people.find(match.personId);
  if (person === null) return;
  for (const course of courses.values()) await gradeMember(deps, course, person);
}

async function applyNextEvent(deps: ApplyMatchesDeps): Promise<boolean> {
  const { unassignedEvents, clock } = deps;
  const holder = deps.ids.id("hold");
  const now = clock.now();
  const unassigned = await unassignedEvents.claimDue(holder, now, now + leaseMs);
  if (unassigned === null) return false;
  try {
    await withClaim(
      deps,
      { until: now + leaseMs, extend: (until) => unassignedEvents.extend(unassigned.id, holder, until) },
      () => (unassigned.answer === "ours" ? applyEvent(deps, unassigned) : takeBackEvent(deps, unassigned)),
    );
    await unassignedEvents.settle(unassigned, holder, null);
  } catch (thrown) {
    deps.logger.warn(
      { event: unassigned.eventId, error: messageOf(thrown) },
      "a session could not be taken over yet",
    );
    await unassignedEvents.settle(unassigned, holder, clock.now() + retryAfterMs);
  }
  return true;
}

async function applyEvent(deps: ApplyMatchesDeps, unassigned: UnassignedEvent): Promise<void> {
  const { environment, eventId, courseId } = unassigned;
  await deps.events.assignCourse(environment, eventId, courseId);
  await deps.onSessionsChanged(courseId);
  await recordAll(deps, await deps.unmatchedAttendance.listOfEvent(environment, eventId, maxReceipts));
  await retryEvent(deps, unassigned);
}

/** Webhooks may have waited for the event or its Space. */
async function retryEvent(
  { events, onMatchable }: ApplyMatchesDeps,
  { environment, eventId }: UnassignedEvent,
): Promise<void> {
  await onMatchable({ kind: "event", environment, id: eventId });
  const spaceId = (await events.find(environment, eventId))?.spaceId ?? null;
  if (spaceId !== null) await onMatchable({ kind: "space", environment, id: spaceId });
}

function recordAll(deps: ApplyMatchesDeps, unmatchedOnes: readonly UnmatchedAttendance[]): Promise<void> {
  return recordMany(
    deps,
    unmatchedOnes.flatMap(({ environment, eventId, userId, history }) =>
      history.map((observation) => ({ environment, eventId, userId, observation })),
    ),
  );
}
