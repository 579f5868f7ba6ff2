import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { EnvironmentName } from "../../domain/registration.ts";
import type { FindEventDeps } from "../attendance/find-event.ts";

export type NoteEventDeps = FindEventDeps & {
  /** A session became known or changed. */
  onEventNoted: () => void;
};

/** A change of a scheduled event as a SCHEDULE webhook tells it (interface 6.5); one comes for each instance of a series. */
export type EventChange = {
  environment: EnvironmentName;
  eventId: string;
  eventType: string;
  /** When it was changed (ms). */
  at: number;
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
  const cancelledAt = latest(known?.cancelledAt, isEnd(change.eventType) ? change.at : null);
  const courses = spaceId === null ? [] : await deps.courses.findBySpace(environment, spaceId);
  const course = courses.find(({ id }) => id === known?.courseId) ?? courses[0];
  await deps.events.saveNewer({
    environment,
    eventId,
    spaceId,
    title,
    startsAt,
    endsAt,
    // What cannot be read any more was deleted.
    cancelled: read === null || read.cancelled || (cancelledAt !== null && cancelledAt >= change.at),
    cancelledAt,
    courseId: course?.id ?? null,
    readAt,
  });
  deps.onEventNoted();
  return deps.events.find(environment, eventId);
}

function isEnd(eventType: string): boolean {
  return eventType === "EVENT_CANCELLED" || eventType === "EVENT_DELETED";
}

function latest(one: number | null | undefined, other: number | null): number | null {
  if (one === null || one === undefined) return other;
  return other === null ? one : Math.max(one, other);
}
