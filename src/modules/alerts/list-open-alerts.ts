import type { App } from "../../app.ts";
import { currentAttendanceOf } from "../../domain/attendance.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course } from "../../domain/course.ts";
import { refusal } from "../../kernel/refusal.ts";
import { type ClassroomAlert, lookOf } from "./rules/classroom-alert.ts";

/** To list alerts about a course's sessions. */
export type AlertsApp = Pick<App, "classroomAlerts" | "events" | "attendance" | "clock">;

export type CourseAlert = {
  alert: ClassroomAlert;
  session: Pick<ClassroomEvent, "eventId" | "title" | "startsAt" | "endsAt">;
  /** People in the register where an open alert says that nobody came; else 0. */
  came: number;
};

/** Alerts about older sessions are not shown. */
const maxSessions = 300;
const maxRows = 200;

type AlertWithSession = Omit<CourseAlert, "came">;

/** Alerts about sessions of a course, latest change first, in every state. */
export async function listAlerts(
  app: AlertsApp,
  course: Pick<Course, "id" | "environment" | "registrationId">,
): Promise<CourseAlert[]> {
  return withCame(app, course, await alertsOf(app, course));
}

async function alertsOf(
  app: Omit<AlertsApp, "attendance">,
  course: Pick<Course, "id" | "environment">,
): Promise<AlertWithSession[]> {
  const events = await app.events.listOfCourse(course.id, maxSessions);
  const eventOf = new Map(events.map((event) => [event.eventId, event]));
  const alerts = await app.classroomAlerts.listOfEvents(course.environment, [...eventOf.keys()], maxRows);
  return alerts.flatMap((alert) => {
    const session = eventOf.get(alert.eventId ?? "");
    return session === undefined ? [] : [{ alert, session }];
  });
}

function withCame(
  app: Pick<AlertsApp, "attendance">,
  course: Pick<Course, "id" | "registrationId">,
  listed: readonly AlertWithSession[],
): Promise<CourseAlert[]> {
  return Promise.all(
    listed.map(async (one) => ({ ...one, came: await countWhoCame(app, course, one.alert) })),
  );
}

/** People in the register of an alert's session, where it is open and says that nobody came; else 0. */
export async function countWhoCame(
  { attendance }: Pick<AlertsApp, "attendance">,
  { registrationId, id }: Pick<Course, "id" | "registrationId">,
  { alertType, closed, eventId }: Pick<ClassroomAlert, "alertType" | "closed" | "eventId">,
): Promise<number> {
  if (alertType !== "EVENT_NO_SHOW" || closed || eventId === null) return 0;
  const records = await attendance.listOfEvent(registrationId, id, eventId);
  const statuses = records.map((record) => currentAttendanceOf(record)?.status);
  return statuses.filter((status) => status === "PRESENT" || status === "LATE").length;
}

/** Open and not seen as they are now, latest change first. */
export async function listOpenAlerts(
  app: AlertsApp,
  course: Pick<Course, "id" | "environment" | "registrationId">,
): Promise<CourseAlert[]> {
  const listed = await alertsOf(app, course);
  const open = listed.filter(({ alert }) => !alert.closed && alert.seen === null);
  return (await withCame(app, course, open)).filter(({ came }) => came === 0);
}

/** Readings of others meanwhile before it is given up. */
const maxTries = 5;

/**
 * Takes it off the home page. @param look As it was shown (`lookOf`).
 * @returns false when it has changed since. @throws NamedError "alert-unknown"
 */
export async function seeAlert(
  app: AlertsApp,
  course: Course,
  { alertId, look, personId }: { alertId: string; look: string; personId: string },
): Promise<boolean> {
  for (let attempt = 1; attempt <= maxTries; attempt += 1) {
    const alerts = await listAlerts(app, course);
    const alert = alerts.find((one) => one.alert.alertId === alertId)?.alert;
    if (alert === undefined) throw refusal("alert-unknown", { status: 404 });
    if (lookOf(alert) !== look) return false;
    const seen = { personId, at: app.clock.now() };
    if (await app.classroomAlerts.markSeen(course.environment, alertId, alert.revision, seen)) return true;
  }
  return false;
}
