import type { Course } from "../../domain/course.ts";
import type { CourseSession } from "../../domain/course-session.ts";
import type { EventStore } from "../../storage/event-store.ts";

export type ListSessionsDeps = { events: Pick<EventStore, "listOfCourse"> };

/** More sessions than this are not looked at; the latest ones are. */
const most = 2_000;

/** All sessions of a course, cancelled ones included, the latest first; ones without a time come last. */
export async function listSessions(
  deps: ListSessionsDeps,
  course: Pick<Course, "id">,
): Promise<CourseSession[]> {
  const events = await deps.events.listOfCourse(course.id, most);
  return events.map(({ eventId, title, startsAt, endsAt, cancelled }) => ({
    eventId,
    title,
    startsAt,
    endsAt,
    cancelled,
    sectionIds: [],
    seriesId: null,
  }));
}
