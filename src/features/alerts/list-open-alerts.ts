import type { ClassroomAlert } from "../../domain/classroom-alert.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course } from "../../domain/course.ts";
import type { ClassroomAlertStore } from "../../storage/classroom-alert-store.ts";
import type { EventStore } from "../../storage/event-store.ts";

export type ListAlertsDeps = {
  classroomAlerts: Pick<ClassroomAlertStore, "listOfEvents">;
  events: Pick<EventStore, "listOfCourse">;
};

/** An alert about a session of a course. */
export type CourseAlert = {
  alert: ClassroomAlert;
  session: Pick<ClassroomEvent, "eventId" | "title" | "startsAt" | "endsAt">;
};

/** Alerts about older sessions than the latest so many are not told any more. */
const latestSessions = 300;
const most = 200;

/** Alerts of the classroom about sessions of a course, those that changed last first: open, seen and closed ones. */
export async function listAlerts(
  deps: ListAlertsDeps,
  course: Pick<Course, "id" | "environment">,
): Promise<CourseAlert[]> {
  const events = await deps.events.listOfCourse(course.id, latestSessions);
  const eventOf = new Map(events.map((event) => [event.eventId, event]));
  const alerts = await deps.classroomAlerts.listOfEvents(course.environment, [...eventOf.keys()], most);
  return alerts.flatMap((alert) => {
    const session = eventOf.get(alert.eventId ?? "");
    return session === undefined ? [] : [{ alert, session }];
  });
}

/** Those that are open and that no instructor has seen as they stand now, those that changed last first. */
export async function listOpenAlerts(
  deps: ListAlertsDeps,
  course: Pick<Course, "id" | "environment">,
): Promise<CourseAlert[]> {
  return (await listAlerts(deps, course)).filter(({ alert }) => !alert.closed && alert.seen === null);
}
