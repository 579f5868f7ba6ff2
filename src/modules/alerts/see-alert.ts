import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { refusal } from "../../kernel/refusal.ts";
import { listAlerts, type ListAlertsDeps } from "./list-open-alerts.ts";

export type SeeAlertDeps = ListAlertsDeps & Pick<App, "classroomAlerts" | "clock">;

/** Takes it off the home page. @returns false when it has changed since. @throws NamedError "alert-unknown" */
export async function seeAlert(
  deps: SeeAlertDeps,
  course: Course,
  { alertId, revision, personId }: { alertId: string; revision: number; personId: string },
): Promise<boolean> {
  const alerts = await listAlerts(deps, course);
  if (!alerts.some(({ alert }) => alert.alertId === alertId)) {
    throw refusal("alert-unknown", { status: 404 });
  }
  const seen = { personId, at: deps.clock.now() };
  return deps.classroomAlerts.markSeen(course.environment, alertId, revision, seen);
}
