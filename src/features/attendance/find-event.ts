import type { ClassroomClient } from "../../classroom/client.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { EnvironmentName } from "../../domain/registration.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { CourseStore } from "../../storage/course-store.ts";
import type { EventStore } from "../../storage/event-store.ts";
import type { StrayEventStore } from "../../storage/stray-event-store.ts";

export type FindEventDeps = {
  events: EventStore;
  courses: CourseStore;
  strayEvents: Pick<StrayEventStore, "courseOf">;
  classroomOf: (environment: EnvironmentName) => ClassroomClient;
  /** A session was given to a course: what is planned for its learners has changed. */
  onSessionsChanged: (courseId: string) => Promise<void>;
  clock: Clock;
};

/** An event of no course is not read again for so long (ms): its changes are told by webhooks of their own. */
const freshFor = 10 * 60_000;

/**
 * The scheduled event and the course whose Space it is linked to: from our record when that is settled, from
 * GET /events/{id} otherwise. What an instructor said about the event wins over its Space.
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
  const { strayEvents, courses, clock } = deps;
  const courseOf = async (spaceId: string | null): Promise<string | null> =>
    (await strayEvents.courseOf(environment, eventId)) ??
    (spaceId === null ? null : ((await courses.findBySpace(environment, spaceId))[0]?.id ?? null));
  if (known !== null && clock.now() - known.readAt < freshFor) {
    const courseId = await courseOf(known.spaceId);
    if (courseId !== null) {
      await deps.events.assignCourse(environment, eventId, courseId);
      await deps.onSessionsChanged(courseId);
    }
    return { ...known, courseId };
  }
  const read = await deps.classroomOf(environment).readEvent(eventId, { priority: "background" });
  if (read === null) return known;
  const found = await deps.events.save({
    environment,
    eventId,
    spaceId: read.spaceId,
    title: read.title,
    startsAt: read.startsAt,
    endsAt: read.endsAt,
    cancelled: read.cancelled,
    courseId: await courseOf(read.spaceId),
    readAt: clock.now(),
  });
  if (found.courseId !== null) await deps.onSessionsChanged(found.courseId);
  return found;
}
