import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course } from "../../domain/course.ts";
import type { PlannedSession } from "../../domain/planned-session.ts";
import type { EnvironmentName } from "../../domain/registration.ts";
import type { SessionPlanStore } from "../../storage/session-plan-store.ts";
import type { FindEventDeps } from "../attendance/find-event.ts";
import { coupleLost } from "./find-lost.ts";

export type NoteEventDeps = FindEventDeps & {
  sessionPlans: Pick<SessionPlanStore, "findByEvent" | "listLost" | "couple">;
  /** A session became known or changed. */
  onEventNoted: () => void;
  /** The sessions of a course are others than before: what counts for its grades may have changed. */
  onSessionsChanged: (courseId: string) => Promise<void>;
};

/** A change of a scheduled event as a SCHEDULE webhook tells it (interface 6.5); one comes for each instance of a series. */
export type EventChange = {
  environment: EnvironmentName;
  eventId: string;
  eventType: string;
  /** When it was changed (ms). */
  at: number;
  /**
   * The webhook's `recurringUpdateType`. Whatever it says, the webhook is about this one instance: the other instances of
   * the series have webhooks of their own. So it only tells that the event belongs to a series.
   */
  recurring?: string | null;
};

/**
 * Reads an event that was created, changed, cancelled or deleted, and keeps it as it is now. The webhook says only
 * that something happened, so their order does not matter, with one exception: whether a cancelled event is told as
 * cancelled by GET /events is not shown, so a cancellation holds until a later change.
 * @returns the event; null when the classroom does not know it and neither do we.
 * @throws the classroom client's errors.
 */
export async function noteEvent(deps: NoteEventDeps, change: EventChange): Promise<ClassroomEvent | null> {
  const { environment, eventId } = change;
  let readAt = deps.clock.now();
  const read = await deps.classroomOf(environment).readEvent(eventId, {
    priority: "background",
    onPermit: () => {
      readAt = deps.clock.now();
    },
  });
  const known = await deps.events.find(environment, eventId);
  const facts = read ?? known;
  if (facts === null) return null;
  const { spaceId, title, startsAt, endsAt } = facts;
  const seen = { spaceId, title, startsAt, endsAt };
  const plan =
    (await deps.sessionPlans.findByEvent(environment, eventId)) ??
    (await coupleLost(deps, environment, { eventId, ...seen }));
  const courseId = await courseOf(deps, environment, spaceId, plan, known);
  const now = { ...seen, ...cancellation(change, read, known), courseId };
  const changed = known === null || differs(known, now);
  const recurring = (change.recurring ?? null) !== null;
  await deps.events.saveNewer({
    environment,
    eventId,
    ...now,
    readAt,
    ...history(known, { changed, recurring, readAt }),
  });
  deps.onEventNoted();
  if (changed) await tellCourses(deps, [courseId, known?.courseId ?? null]);
  return deps.events.find(environment, eventId);
}

/** Whether it is cancelled, and since when we were told so. */
function cancellation(
  change: EventChange,
  read: { cancelled: boolean } | null,
  known: ClassroomEvent | null,
): { cancelled: boolean; cancelledAt: number | null } {
  const cancelledAt = latest(known?.cancelledAt, isEnd(change.eventType) ? change.at : null);
  // What cannot be read any more was deleted.
  const cancelled = read === null || read.cancelled || (cancelledAt !== null && cancelledAt >= change.at);
  return { cancelled, cancelledAt };
}

/** What is remembered over all changes: once one of a series, always one. */
function history(
  known: ClassroomEvent | null,
  now: { changed: boolean; recurring: boolean; readAt: number },
): Required<Pick<ClassroomEvent, "recurring" | "revision" | "changedAt">> {
  const { recurring = false, revision = 0, changedAt = known?.readAt } = known ?? {};
  return {
    recurring: recurring || now.recurring,
    revision: revision + (now.changed ? 1 : 0),
    changedAt: now.changed ? now.readAt : (changedAt ?? now.readAt),
  };
}

/** The course an instructor named, else the one that planned it, else the one it was known for, else one that uses its Space. */
async function courseOf(
  deps: NoteEventDeps,
  environment: EnvironmentName,
  spaceId: string | null,
  plan: PlannedSession | null,
  known: ClassroomEvent | null,
): Promise<Course["id"] | null> {
  const claimed = known === null ? null : await deps.strayEvents.courseOf(environment, known.eventId);
  if (claimed !== null) return claimed;
  if (plan !== null && (spaceId === null || spaceId === plan.spaceId)) return plan.courseId;
  const courses = spaceId === null ? [] : await deps.courses.findBySpace(environment, spaceId);
  const course = courses.find(({ id }) => id === known?.courseId) ?? courses[0];
  return course?.id ?? null;
}

const compared = ["spaceId", "title", "startsAt", "endsAt", "cancelled", "courseId"] as const;

function differs(known: ClassroomEvent, now: Pick<ClassroomEvent, (typeof compared)[number]>): boolean {
  return compared.some((name) => known[name] !== now[name]);
}

async function tellCourses(deps: NoteEventDeps, courseIds: readonly (string | null)[]): Promise<void> {
  for (const id of new Set(courseIds)) if (id !== null) await deps.onSessionsChanged(id);
}

function isEnd(eventType: string): boolean {
  return eventType === "EVENT_CANCELLED" || eventType === "EVENT_DELETED";
}

function latest(one: number | null | undefined, other: number | null): number | null {
  if (one === null || one === undefined) return other;
  return other === null ? one : Math.max(one, other);
}
