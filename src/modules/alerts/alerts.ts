import type { App } from "../../app.ts";
import type { AlertReply, ClassroomClient } from "../../classroom/client.ts";
import type { AccountId } from "../../domain/account.ts";
import { currentAttendanceOf } from "../../domain/attendance.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course } from "../../domain/course.ts";
import { type WebhookHandler, webhookHandler } from "../../inbox/webhook-handlers.ts";
import { refusal } from "../../kernel/refusal.ts";
import { findEvent, type FindEventApp } from "../attendance/record-attendance.ts";
import { maxSessions } from "../scheduling/list-sessions.ts";
import { type AlertStep, type ClassroomAlert, versionOf } from "./rules/classroom-alert.ts";

/** What listing alerts about a course's sessions needs. */
type AlertsApp = Pick<App, "classroomAlerts" | "events" | "attendance" | "clock">;

export type CourseAlert = {
  alert: ClassroomAlert;
  session: Pick<ClassroomEvent, "eventId" | "title" | "startsAt" | "endsAt" | "cancelledHere">;
  /** People in the register, if an open alert says that nobody came. Otherwise 0. */
  came: number;
};

const maxRows = 200;

/** Alerts about sessions of a course, latest change first, in every state. */
export async function listAlerts(
  app: AlertsApp,
  course: Pick<Course, "id" | "environment" | "registrationId">,
): Promise<CourseAlert[]> {
  return withCame(app, course, await alertsOf(app, course));
}

async function alertsOf(app: Omit<AlertsApp, "attendance">, course: Pick<Course, "id" | "environment">) {
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
  listed: readonly Omit<CourseAlert, "came">[],
): Promise<CourseAlert[]> {
  return Promise.all(
    listed.map(async (one) => ({ ...one, came: await countWhoCame(app, course, one.alert) })),
  );
}

/** Counts people in the register of an alert's session, if the alert is open and says that nobody came. Otherwise 0. */
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

/** Alerts that are open and that nobody has seen in their present state, latest change first. */
export async function listOpenAlerts(
  app: AlertsApp,
  course: Pick<Course, "id" | "environment" | "registrationId">,
): Promise<CourseAlert[]> {
  const listed = await alertsOf(app, course);
  const open = listed.filter(
    ({ alert, session }) => !alert.closed && alert.seen === null && session.cancelledHere !== true,
  );
  return (await withCame(app, course, open)).filter(({ came }) => came === 0);
}

/**
 * Takes an alert off the home page. @param version As the page had it (`versionOf`).
 * @returns false if it has changed since. @throws NamedError "alert-unknown"
 */
export async function seeAlert(
  app: AlertsApp,
  course: Course,
  { alertId, version, personId }: { alertId: string; version: string; personId: string },
): Promise<boolean> {
  for (let attempt = 1; attempt <= maxTries; attempt += 1) {
    const alerts = await alertsOf(app, course);
    const alert = alerts.find((one) => one.alert.alertId === alertId)?.alert;
    if (alert === undefined) throw refusal("alert-unknown", { status: 404 });
    if (versionOf(alert) !== version) return false;
    const seen = { personId, at: app.clock.now() };
    if (await app.classroomAlerts.markSeen(course.environment, alertId, alert.revision, seen)) return true;
  }
  return false;
}

/** CONTROL_CENTER_ALERT (interface 6.8). */
export function alertWebhooks(app: AlertWebhooksApp): WebhookHandler {
  return webhookHandler("CONTROL_CENTER_ALERT", {
    asksClassroom: true,
    handle: async ({ receipt: { environment }, webhook }) => {
      const { alertId, alertType, eventType, at, updatedBy } = webhook;
      return { state: await handleAlert(app, { environment, alertId, alertType, eventType, at, updatedBy }) };
    },
  });
}

type AlertWebhooksApp = Omit<FindEventApp, "classroomOf"> &
  Pick<App, "classroomAlerts" | "clock"> & {
    classroomOf: (environment: AccountId) => Pick<ClassroomClient, "readAlert" | "readEvent">;
  };

type ReportedAlert = {
  environment: AccountId;
  alertId: string;
  alertType: string;
  eventType: string;
  /** Milliseconds. */
  at: number;
  updatedBy: string | null;
};

/** How many of the latest steps an alert keeps. */
const maxSteps = 200;
/** After this many concurrent writes by others, it's retried later. */
const maxTries = 5;

/**
 * Reads an alert that changed and stores its present state, so the order and number of webhooks don't matter. An alert that the classroom
 * doesn't know any more is closed.
 * @returns "kept" if it's about no session of a course.
 * @throws the classroom client's errors.
 */
export async function handleAlert(app: AlertWebhooksApp, reported: ReportedAlert): Promise<"done" | "kept"> {
  const { environment, alertId } = reported;
  const options = { priority: "background" } as const;
  for (let attempt = 1; attempt <= maxTries; attempt += 1) {
    // Read before the classroom is asked: of two readings, the later one may be written first, and then the earlier one isn't written.
    const before = await known(app, reported);
    const details = await app.classroomOf(environment).readAlert(alertId, options);
    const after = alertAfter(before, reported, details, app.clock.now());
    if (!(await app.classroomAlerts.replace(before, after))) continue;
    if (after.eventId === null) return "kept";
    const event = await findEvent(app, environment, after.eventId);
    return event?.courseId == null ? "kept" : "done";
  }
  throw refusal("alert-busy", { temporary: true });
}

/** The alert as stored, or a new one made from the webhook. */
async function known(app: AlertWebhooksApp, reported: ReportedAlert): Promise<ClassroomAlert> {
  const { environment, alertId, alertType, at } = reported;
  const before = await app.classroomAlerts.find(environment, alertId);
  if (before !== null) return before;
  const first: ClassroomAlert = {
    environment,
    alertId,
    alertType,
    status: null,
    priority: null,
    assigneeId: null,
    eventId: null,
    closed: false,
    raisedAt: at,
    changedAt: at,
    readAt: null,
    history: [],
    seen: null,
    revision: 0,
  };
  await app.classroomAlerts.insert(first);
  return (await app.classroomAlerts.find(environment, alertId)) ?? first;
}

/** @param details As the classroom has it now. Null if it doesn't know the alert any more. */
function alertAfter(
  before: ClassroomAlert,
  { alertType, eventType, at, updatedBy }: ReportedAlert,
  details: AlertReply | null,
  now: number,
): ClassroomAlert {
  const facts =
    details === null
      ? { closed: before.closed || before.readAt !== null }
      : {
          alertType: details.alertType ?? alertType,
          status: details.status,
          priority: details.priority,
          assigneeId: details.assigneeId,
          eventId: details.eventId ?? before.eventId,
          closed: details.closed,
        };
  const current = { ...before, ...facts };
  const step: AlertStep = { at, eventType, status: current.status, priority: current.priority, updatedBy };
  const isRepeated = before.history.some((one) => one.at === at && one.eventType === eventType);
  const isNew = (["status", "priority", "assigneeId", "closed"] as const).some(
    (name) => current[name] !== before[name],
  );
  return {
    ...current,
    raisedAt: Math.min(before.raisedAt, at),
    changedAt: Math.max(before.changedAt, at),
    readAt: details === null ? before.readAt : now,
    history: isRepeated ? before.history : [...before.history, step].slice(-maxSteps),
    seen: isNew ? null : before.seen,
  };
}
