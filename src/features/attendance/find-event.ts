import type { ClassroomClient } from "../../classroom/client.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { EnvironmentName } from "../../domain/registration.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { CourseStore } from "../../storage/course-store.ts";
import type { EventStore } from "../../storage/event-store.ts";

export type FindEventDeps = {
  events: EventStore;
  courses: CourseStore;
  classroomOf: (environment: EnvironmentName) => ClassroomClient;
  clock: Clock;
};

/**
 * The scheduled event and the course whose Space it is linked to: from our record when that is settled, from
 * GET /events/{id} otherwise.
 * @returns null when the classroom does not know the event.
 * @throws the classroom client's errors.
 */
export async function findEvent(
  deps: FindEventDeps,
  environment: EnvironmentName,
  eventId: string,
): Promise<ClassroomEvent | null> {
  const known = await deps.events.find(environment, eventId);
  if (known !== null && known.courseId !== null) return known;
  const read = await deps.classroomOf(environment).readEvent(eventId, { priority: "background" });
  if (read === null) return known;
  const courses = read.spaceId === null ? [] : await deps.courses.findBySpace(environment, read.spaceId);
  return deps.events.save({
    environment,
    eventId,
    spaceId: read.spaceId,
    title: read.title,
    startsAt: read.startsAt,
    endsAt: read.endsAt,
    cancelled: read.cancelled,
    courseId: courses[0]?.id ?? null,
    readAt: deps.clock.now(),
  });
}
