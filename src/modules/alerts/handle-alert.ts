import type { App } from "../../app.ts";
import type { AlertReply, ClassroomClient } from "../../classroom/client.ts";
import type { AlertStep, ClassroomAlert } from "./rules/classroom-alert.ts";
import type { EnvironmentName } from "../../domain/registration.ts";
import { refusal } from "../../kernel/refusal.ts";
import { findEvent, type FindEventDeps } from "../attendance/find-event.ts";

export type HandleAlertDeps = Omit<FindEventDeps, "classroomOf"> &
  Pick<App, "classroomAlerts" | "clock"> & {
    classroomOf: (environment: EnvironmentName) => Pick<ClassroomClient, "readAlert" | "readEvent">;
  };

/** What a CONTROL_CENTER_ALERT webhook tells (interface 6.8). */
export type AlertTold = {
  environment: EnvironmentName;
  alertId: string;
  alertType: string;
  eventType: string;
  /** When it happened (ms). */
  at: number;
  updatedBy: string | null;
};

/** So often somebody else may get in between before it is tried again later. */
const maxTries = 5;

/**
 * Reads an alert that was raised or changed and keeps it as it is now; the webhook says only that something happened, so
 * neither their order nor their number matters. An alert that the classroom knew once and does not know any more is closed.
 * @returns "kept" when it is about no session of a course.
 * @throws the classroom client's errors.
 */
export async function handleAlert(deps: HandleAlertDeps, told: AlertTold): Promise<"done" | "kept"> {
  const { environment, alertId } = told;
  const options = { priority: "background" } as const;
  for (let attempt = 1; attempt <= maxTries; attempt += 1) {
    // Before it is read: of two readings the later one may be written first, and then the earlier one is not written.
    const before = await known(deps, told);
    const details = await deps.classroomOf(environment).readAlert(alertId, options);
    const after = alertAfter(before, told, details, deps.clock.now());
    if (!(await deps.classroomAlerts.replace(before, after))) continue;
    if (after.eventId === null) return "kept";
    const event = await findEvent(deps, environment, after.eventId);
    return event?.courseId == null ? "kept" : "done";
  }
  throw refusal("alert-busy", {
    temporary: true,
  });
}

/** The alert as it is kept; begun with what the webhook tells when it is new. */
async function known(deps: HandleAlertDeps, told: AlertTold): Promise<ClassroomAlert> {
  const { environment, alertId, alertType, at } = told;
  const before = await deps.classroomAlerts.find(environment, alertId);
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
  await deps.classroomAlerts.insert(first);
  return (await deps.classroomAlerts.find(environment, alertId)) ?? first;
}

/**
 * An alert after a webhook about it.
 * @param details What the classroom tells about it now; null when it does not know it any more.
 */
export function alertAfter(
  before: ClassroomAlert,
  { alertType, eventType, at, updatedBy }: AlertTold,
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
  const isTold = before.history.some((one) => one.at === at && one.eventType === eventType);
  const isNew = (["status", "priority", "assigneeId", "closed"] as const).some(
    (name) => current[name] !== before[name],
  );
  return {
    ...current,
    raisedAt: Math.min(before.raisedAt, at),
    changedAt: Math.max(before.changedAt, at),
    readAt: details === null ? before.readAt : now,
    history: isTold ? before.history : [...before.history, step],
    // What was seen is seen, until there is something new.
    seen: isNew ? null : before.seen,
  };
}
