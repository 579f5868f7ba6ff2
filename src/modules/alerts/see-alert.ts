import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { refusal } from "../../kernel/refusal.ts";
import { lookOf } from "./rules/classroom-alert.ts";
import { listAlerts, type ListAlertsDeps } from "./list-open-alerts.ts";

export type SeeAlertDeps = ListAlertsDeps & Pick<App, "classroomAlerts" | "clock">;

/** Readings of others meanwhile before it is given up. */
const maxTries = 5;

/**
 * Takes it off the home page. @param look As it was shown (`lookOf`).
 * @returns false when it has changed since. @throws NamedError "alert-unknown"
 */
export async function seeAlert(
  deps: SeeAlertDeps,
  course: Course,
  { alertId, look, personId }: { alertId: string; look: string; personId: string },
): Promise<boolean> {
  for (let attempt = 1; attempt <= maxTries; attempt += 1) {
    const alerts = await listAlerts(deps, course);
    const alert = alerts.find((one) => one.alert.alertId === alertId)?.alert;
    if (alert === undefined) throw refusal("alert-unknown", { status: 404 });
    if (lookOf(alert) !== look) return false;
    const seen = { personId, at: deps.clock.now() };
    if (await deps.classroomAlerts.markSeen(course.environment, alertId, alert.revision, seen)) return true;
  }
  return false;
}
