import {
  type AlertStep,
  type ClassroomAlert,
  isKnownAlertType,
  knownAlertPriorities,
  knownAlertStatuses,
  knownOf,
  versionOf,
} from "../rules/classroom-alert.ts";
import type { CourseAlert } from "../alerts.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import type { CourseTimes } from "../../../web/course-times.ts";

type AlertWords = { t: Translate; times: CourseTimes; users: ReadonlyMap<string, string> };

export function alertView(words: AlertWords, { alert, session, came }: CourseAlert) {
  const { t, times, users } = words;
  const { alertId, priority, assigneeId, raisedAt, closed, seen } = alert;
  const status = statusBeside(alert);
  return {
    alertId,
    version: versionOf(alert),
    /** What happened, in words. An unknown kind is shown unchanged. */
    kind: alertText(t, alert.alertType),
    advice: isKnownAlertType(alert.alertType) ? t(`alerts.advice.${alert.alertType}`) : null,
    session: sessionText(t, times, session),
    notes: [
      t("alerts.raised", { when: times.text(raisedAt) }),
      ...(status === null ? [] : [t("alerts.status", { status: alertStatusText(t, status) })]),
      ...(priority === null ? [] : [t("alerts.priority", { priority: alertPriorityText(t, priority) })]),
      ...(assigneeId === null ? [] : [assigneeText(t, users.get(assigneeId))]),
    ],
    /** Null if the alert is open and nobody has seen it. */
    stateText: stateText(t, { closed, came, seen: seen !== null }),
    history: alert.history.map((step) => stepText(words, step)),
  };
}

function stateText(t: Translate, { closed, came, seen }: { closed: boolean; came: number; seen: boolean }) {
  if (closed) return t("alerts.closed");
  if (came > 0) return cameText(t, came);
  return seen ? t("alerts.seen") : null;
}

/** What an alert says, such as "Nobody came to this session". */
export function alertText(t: Translate, alertType: string): string {
  return isKnownAlertType(alertType)
    ? t(`alerts.kind.${alertType}`)
    : t("alerts.kind.other", { kind: alertType });
}

/** A status in words. An unknown status is shown unchanged. */
export function alertStatusText(t: Translate, status: string): string {
  const known = knownOf(knownAlertStatuses, status);
  return known === null ? status : t(`alerts.statuses.${known}`);
}

/** A priority in words. An unknown priority is shown unchanged. */
export function alertPriorityText(t: Translate, priority: string): string {
  const known = knownOf(knownAlertPriorities, priority);
  return known === null ? priority : t(`alerts.priorities.${known}`);
}

/** The status. Null if it only says that the alert is open or closed, which the page already says. */
export function statusBeside({ status, closed }: Pick<ClassroomAlert, "status" | "closed">): string | null {
  if (status === null) return null;
  return knownOf(knownAlertStatuses, status) === (closed ? "CLOSED" : "OPEN") ? null : status;
}

/** What the register shows although an alert says that nobody came. @param came At least 1. */
export function cameText(t: Translate, came: number): string {
  return t("alerts.came", { count: came, number: numberText(t, came) });
}

function sessionText(t: Translate, times: CourseTimes, session: CourseAlert["session"]): string {
  const { title, startsAt } = session;
  if (startsAt === null) return title ?? t("alerts.sessionNoTime");
  const when = times.text(startsAt);
  return title === null ? t("common.sessionOf", { when }) : t("alerts.session", { title, when });
}

function assigneeText(t: Translate, name: string | undefined): string {
  return name === undefined ? t("alerts.assigned") : t("alerts.assignedTo", { name });
}

/** The classroom itself, a person we know by name, or somebody else. */
function doerText(t: Translate, users: ReadonlyMap<string, string>, userId: string | null): string {
  if (userId === null) return t("alerts.history.bySystem");
  const name = users.get(userId);
  return name === undefined ? t("alerts.history.byPerson") : t("alerts.history.byName", { name });
}

function stepText({ t, times, users }: AlertWords, { at, eventType, status, updatedBy }: AlertStep): string {
  const known = eventType === "CREATE_ALERT" || eventType === "UPDATE_ALERT";
  const what = known ? t(`alerts.history.${eventType}`) : t("alerts.history.other", { kind: eventType });
  const who = doerText(t, users, updatedBy);
  const when = times.text(at);
  return status === null
    ? t("alerts.history.step", { when, what, who })
    : t("alerts.history.stepWithStatus", { when, what, who, status: alertStatusText(t, status) });
}
